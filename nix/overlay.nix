# Adds subagents and subagentsLib to nixpkgs.
final: _prev: {
  subagents = final.callPackage ./package.nix { };
  subagentsLib = import ./lib.nix {
    inherit (final.stdenv.hostPlatform) system;
    program = final.subagents;
  };
}
