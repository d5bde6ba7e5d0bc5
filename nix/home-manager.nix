# programs.subagents for home-manager.
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
  link = cfg.enable && cfg.install == "link";

  # The folders that hold files, one level below for goose, which has two.
  folders = {
    claude = [ ".claude/agents" ];
    codex = [ ".codex/agents" ];
    goose = [
      ".config/goose/agents"
      ".config/goose/recipes"
    ];
    kiro = [ ".kiro/agents" ];
    opencode = [ ".config/opencode/agents" ];
  };

  # A folder with the host's own directory in place of the default one.
  target =
    id: folder:
    let
      dir = cfg.providers.${id}.dir;
      home = lib.removeSuffix "/" config.home.homeDirectory + "/";
      parent = builtins.dirOf (builtins.head folders.${id});
    in
    if dir == null then folder else lib.removePrefix home dir + lib.removePrefix parent folder;

  # Options of other modules that write to the same folders.
  other = path: lib.attrByPath path null config;
  clash = value: value != null && value != { };
in
{
  options.programs.subagents =
    import ./options.nix {
      inherit lib;
      package = pkgs.subagents or (pkgs.callPackage ./package.nix { });
    }
    // import ./install-option.nix { inherit lib; };

  config = {
    programs.subagents.rendered = common.rendered;

    assertions =
      common.assertions
      ++ lib.optionals cfg.enable [
        {
          assertion = !(cfg.providers.claude.enable && clash (other [ "programs" "claude-code" "agentsDir" ]));
          message = "programs.subagents: programs.claude-code.agentsDir links the whole agents folder. Move its files into the manifest (subagents import), or turn providers.claude off.";
        }
        {
          assertion =
            !(
              link
              && cfg.providers.claude.enable
              && clash (other [ "programs" "claude-code" "agents" ])
            );
          message = "programs.subagents: with install = \"link\" an entry of programs.claude-code.agents of the same name would be lost without a word. Move it into the manifest, or use install = \"copy\", which reports it.";
        }
        {
          assertion =
            let
              agents = other [ "programs" "opencode" "agents" ];
            in
            !(cfg.providers.opencode.enable && builtins.isPath agents);
          message = "programs.subagents: programs.opencode.agents is a directory and links the whole agents folder. Move its files into the manifest (subagents import), or turn providers.opencode off.";
        }
      ];

    home.file = lib.mkIf link (
      lib.listToAttrs (
        lib.concatMap (
          id:
          map (folder: {
            name = target id folder;
            value = {
              source = "${cfg.rendered}/${folder}";
              recursive = true;
            };
          }) folders.${id}
        ) common.enabled
      )
    );

    # Emitted whenever the module is imported: with enable = false it takes our
    # files away.
    home.activation.subagents = lib.mkIf (!link) (
      lib.hm.dag.entryAfter [ "linkGeneration" ] ''
        ${common.tolerate}
        if [[ -v DRY_RUN ]]; then
          ${common.activate "--dry-run"}
        else
          ${common.activate ""}
        fi
      ''
    );

    # From copy to link: our copies must be gone before home-manager looks whether
    # its links would replace something.
    home.activation.subagentsUnlink = lib.mkIf link (
      lib.hm.dag.entryBefore [ "checkLinkTargets" ] ''
        ${common.tolerate}
        if [[ -v DRY_RUN ]]; then
          subagentsRun ${common.uninstall common.hosts} --dry-run
        else
          subagentsRun ${common.uninstall common.hosts}
        fi
      ''
    );
  };
}
