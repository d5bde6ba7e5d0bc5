# The program, for callPackage.
{
  lib,
  stdenv,
  buildGoModule,
  installShellFiles,
}:

buildGoModule {
  pname = "subagents";
  version = lib.fileContents ../VERSION;

  src = lib.cleanSourceWith {
    src = lib.cleanSource ../.;
    # What the program is built from and nothing else, so that a change to a
    # test suite or a document rebuilds nothing.
    filter =
      path: type:
      let
        top = lib.head (lib.splitString "/" (lib.removePrefix (toString ../. + "/") (toString path)));
      in
      builtins.elem top [
        "VERSION"
        "catalog.go"
        "cmd"
        "go.mod"
        "go.sum"
        "internal"
        "policies.yml"
        "providers"
        "render"
        "schema"
        "subagents.yml"
      ];
  };

  vendorHash = lib.fileContents ./vendor-hash;
  subPackages = [ "cmd/subagents" ];
  env.CGO_ENABLED = 0;
  ldflags = [
    "-s"
    "-w"
    "-X main.release=${lib.fileContents ../VERSION}"
  ];

  nativeBuildInputs = [ installShellFiles ];
  postInstall = lib.optionalString (stdenv.buildPlatform.canExecute stdenv.hostPlatform) ''
    installShellCompletion --cmd subagents \
      --bash <($out/bin/subagents completion bash) \
      --fish <($out/bin/subagents completion fish) \
      --zsh <($out/bin/subagents completion zsh)
    $out/bin/subagents man --out man
    installManPage man/*
  '';

  meta = {
    description = "One manifest of sub-agents, native files for five coding agents";
    homepage = "https://github.com/seed-337579fc/subagents";
    license = lib.licenses.asl20;
    mainProgram = "subagents";
  };
}
