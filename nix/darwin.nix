# programs.subagents for nix-darwin: the files of every person who logs in,
# installed as that person by a launch agent. Nothing is written as root.
{
  config,
  lib,
  pkgs,
  ...
}:

let
  cfg = config.programs.subagents;
  common = import ./common.nix {
    inherit lib cfg;
    inherit (pkgs.stdenv.hostPlatform) system;
  };
in
{
  options.programs.subagents = import ./options.nix {
    inherit lib;
    package = pkgs.subagents or (pkgs.callPackage ./package.nix { });
  };

  config = {
    programs.subagents.rendered = common.rendered;
    inherit (common) assertions;

    environment.systemPackages = lib.mkIf cfg.enable [ cfg.package ];

    # Runs once at every login, and when the configuration changes.
    launchd.user.agents.subagents = {
      script = ''
        ${common.tolerate}
        ${common.activate ""}
      '';
      serviceConfig.RunAtLoad = true;
    };
  };
}
