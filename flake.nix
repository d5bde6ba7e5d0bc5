{
  description = "One manifest of sub-agents, native files for five coding agents";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
    in
    {
      overlays.default = import ./nix/overlay.nix;

      packages = each (pkgs: rec {
        subagents = pkgs.callPackage ./nix/package.nix { };
        default = subagents;
      });

      # lib.SYSTEM.render { manifest = ./subagents.yml; } and checkGolden.
      lib = each (
        pkgs:
        import ./nix/lib.nix {
          inherit (pkgs.stdenv.hostPlatform) system;
          program = self.packages.${pkgs.stdenv.hostPlatform.system}.default;
        }
      );

      homeModules.default = import ./nix/home-manager.nix;
      nixosModules.default = import ./nix/nixos.nix;
      darwinModules.default = import ./nix/darwin.nix;

      checks = each (pkgs: {
        catalogue = self.lib.${pkgs.stdenv.hostPlatform.system}.checkGolden {
          manifest = ./subagents.yml;
          golden = ./testdata/golden/catalogue/project;
        };
      });

      devShells = each (pkgs: {
        default = pkgs.mkShell { packages = [ pkgs.go ]; };
      });
    };
}
