# The options of programs.subagents, the same in every module.
{ lib, package }:

let
  inherit (lib) mkOption mkEnableOption types;

  host =
    title: dir:
    {
      enable = mkEnableOption "rendering for ${title}";
      dir = mkOption {
        type = types.nullOr types.str;
        default = null;
        example = "/home/jo/${dir}";
        description = ''
          The configuration directory of ${title}, for one that lies elsewhere than ~/${dir}. The files are
          installed below it.
        '';
      };
    };
in
{
  enable = mkEnableOption "sub-agents from one manifest";

  package = mkOption {
    type = types.package;
    default = package;
    defaultText = lib.literalExpression "pkgs.subagents";
    description = "The subagents package.";
  };

  manifest = mkOption {
    type = types.nullOr (types.either types.path types.str);
    default = null;
    example = lib.literalExpression "./subagents.yml";
    description = ''
      The manifest. A manifest that names other files (include, instructions_file) needs src as well, and is then a
      path relative to it. Exactly one of manifest and settings is to be set.
    '';
  };

  src = mkOption {
    type = types.nullOr types.path;
    default = null;
    example = lib.literalExpression "./agents";
    description = "The directory that the manifest and the files that it names are in.";
  };

  settings = mkOption {
    type = types.nullOr (types.attrsOf types.anything);
    default = null;
    example = lib.literalExpression ''
      {
        subagents = [
          {
            name = "code-reviewer";
            description = "Reviews a change. Use before a commit.";
            instructions = builtins.readFile ./code-reviewer.md;
          }
        ];
      }
    '';
    description = "The manifest as a Nix value.";
  };

  catalogue = mkOption {
    type = types.str;
    default = "nix";
    description = ''
      The identity under which installed files are recorded. Files of another identity are never touched, so that two
      configurations can install side by side.
    '';
  };

  strict = mkOption {
    type = types.bool;
    default = false;
    description = "Fail the build when a host does not enforce a setting.";
  };

  providers = {
    claude = host "Claude Code" ".claude";
    codex = host "Codex" ".codex";
    goose = host "goose" ".config/goose";
    kiro = host "Kiro" ".kiro";
    opencode = host "OpenCode" ".config/opencode";
  };

  onRefusal = mkOption {
    type = types.enum [
      "warn"
      "fail"
    ];
    default = "warn";
    description = ''
      What to do when a file is left alone because it was edited by hand or is somebody else's: say so and go on, or
      fail the activation.
    '';
  };

  rendered = mkOption {
    type = types.package;
    readOnly = true;
    description = "The rendered files, in the layout of a home directory.";
  };
}
