# Rendering as a derivation. The program itself is the builder: it runs in the
# sandbox without a shell, a network or anything else that is not an input, and
# nothing is evaluated from what it builds.
{
  system,
  # The package, or any derivation with bin/subagents in it.
  program,
}:

let
  # The manifest as an argument: a file, a file below a source directory, or a
  # Nix value, which is written as JSON.
  manifestOf =
    {
      manifest,
      settings,
      src,
    }:
    if (manifest == null) == (settings == null) then
      throw "subagents: set exactly one of manifest and settings"
    else if settings != null then
      builtins.toFile "subagents.json" (builtins.toJSON settings)
    else if src != null then
      "${src}/${toString manifest}"
    else
      "${manifest}";

  flags = flag: builtins.concatMap (value: [ flag value ]);

  run =
    name: args:
    derivation {
      inherit name system;
      builder = "${program}/bin/subagents";
      args = args ++ [
        "--color"
        "never"
      ];
    };

  # render { manifest | settings, … } is a directory with the native files as
  # they lie below a project, or below a home with scope = "user". A manifest
  # that names other files (include, instructions_file) needs src, the directory
  # that they are in, and itself relative to that.
  render =
    {
      manifest ? null,
      settings ? null,
      src ? null,
      providers ? [ ],
      tags ? [ ],
      agents ? [ ],
      scope ? "project",
      strict ? false,
      policies ? [ ],
      name ? "subagents-files",
    }:
    run name (
      [
        "render"
        "--quiet"
        "--allow-empty"
        "--manifest"
        (manifestOf { inherit manifest settings src; })
        "--scope"
        scope
        "--out"
        (placeholder "out")
      ]
      ++ flags "--provider" providers
      ++ flags "--tag" tags
      ++ flags "--agent" agents
      ++ flags "--policy" (map (p: "${p}") policies)
      ++ (if strict then [ "--strict" ] else [ ])
    );

  # checkGolden { manifest; golden; } builds if the files in golden, a directory,
  # are what the manifest renders to, and fails with the difference otherwise.
  checkGolden =
    args@{
      golden,
      scope ? "project",
      name ? "subagents-golden",
      ...
    }:
    run name (
      [
        "check"
        "--manifest"
        (manifestOf {
          manifest = args.manifest or null;
          settings = args.settings or null;
          src = args.src or null;
        })
        "--scope"
        scope
        "--golden"
        "${golden}"
        "--diff"
        "--stamp"
        (placeholder "out")
      ]
      ++ flags "--provider" (args.providers or [ ])
    );
in
{
  inherit render checkGolden manifestOf;
}
