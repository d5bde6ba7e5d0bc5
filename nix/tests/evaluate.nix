# Evaluates a module under the stand-in library. Called by nix/test with the
# program, the kind of module, and what a person would write.
{
  program,
  kind ? "home-manager",
  user ? { },
}:

let
  lib = import ./stand-in-lib.nix;
  pkgs = {
    stdenv.hostPlatform.system = builtins.currentSystem;
    subagents = program;
  };
  result = lib.evaluate {
    module = import (../. + "/${kind}.nix");
    inherit pkgs;
    user = {
      home.homeDirectory = "/home/jo";
    } // user;
  };
in
result
// {
  failed = map (a: a.message) (builtins.filter (a: !a.assertion) result.set.assertions);
}
