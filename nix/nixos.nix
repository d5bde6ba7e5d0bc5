# programs.subagents for NixOS: the files of every person who logs in, installed
# as that person by their own session. Nothing is written as root.
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

    # Runs for each person at login and at every switch.
    system.userActivationScripts.subagents.text = ''
      ${common.tolerate}
      ${common.activate ""}
    '';
  };
}
