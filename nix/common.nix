# What the modules share: the rendered tree, the assertions, and the commands
# that an activation runs.
{
  lib,
  cfg,
  system,
}:

let
  hosts = [
    "claude"
    "codex"
    "goose"
    "kiro"
    "opencode"
  ];
  enabled = builtins.filter (id: cfg.enable && cfg.providers.${id}.enable) hosts;
  disabled = builtins.filter (id: !(builtins.elem id enabled)) hosts;
  hasManifest = (cfg.manifest == null) != (cfg.settings == null);

  source = import ./lib.nix {
    inherit system;
    program = cfg.package;
  };

  # Not "builtins.filter" on cfg: assertions are evaluated even where the module
  # is off.
  rendered = source.render {
    inherit (cfg)
      manifest
      settings
      src
      strict
      ;
    providers = enabled;
    scope = "user";
  };

  manifest = source.manifestOf { inherit (cfg) manifest settings src; };

  program = "${cfg.package}/bin/subagents";

  # --root for every host whose directory is set.
  roots = lib.concatMap (
    id:
    let
      dir = cfg.providers.${id}.dir;
    in
    lib.optionals (dir != null) [
      "--root"
      "${id}=${dir}"
    ]
  ) hosts;

  words = lib.escapeShellArgs;

  selection = ids: lib.concatMap (id: [ "--provider" id ]) ids;
in
rec {
  inherit
    hosts
    enabled
    rendered
    manifest
    program
    roots
    ;

  assertions = lib.optionals cfg.enable [
    {
      assertion = hasManifest;
      message = "programs.subagents: set exactly one of manifest and settings.";
    }
    {
      assertion = enabled != [ ];
      message = "programs.subagents: enable at least one host, for instance programs.subagents.providers.claude.enable = true.";
    }
    {
      assertion = cfg.src == null || cfg.manifest != null;
      message = "programs.subagents: src is the directory of manifest, which is not set.";
    }
  ];

  # install: the hosts that are on. The store path of the rendered tree stands in
  # it, so that a manifest with a problem fails the build and not the login.
  install = words (
    [
      program
      "install"
      "--manifest"
      manifest
      "--catalogue"
      cfg.catalogue
      "--scope"
      "user"
      "--allow-empty"
    ]
    ++ roots
    ++ selection enabled
  );

  # uninstall: our unedited files of the given hosts.
  uninstall =
    ids:
    words (
      [
        program
        "uninstall"
        "--catalogue"
        cfg.catalogue
        "--scope"
        "user"
      ]
      ++ roots
      ++ selection ids
    );

  # A shell function that runs a command and takes exit status 1, something was
  # left alone, as onRefusal says.
  tolerate = ''
    subagentsRun() {
      local status=0
      "$@" || status=$?
      if [ "$status" -eq 1 ] && [ ${cfg.onRefusal} = warn ]; then
        echo "subagents: some files were left alone, as listed above" >&2
      elif [ "$status" -ne 0 ]; then
        return "$status"
      fi
    }
  '';

  # What an activation does in copy mode: install for the hosts that are on, take
  # our files away from the others. The dry-run word is empty or "--dry-run".
  activate =
    dry:
    lib.concatStringsSep "\n" (
      lib.optional (enabled != [ ]) "# ${rendered}\nsubagentsRun ${install} ${dry}"
      ++ lib.optional (disabled != [ ]) "subagentsRun ${uninstall disabled} ${dry}"
    );
}
