# The option that only the home-manager module has.
{ lib }:

{
  install = lib.mkOption {
    type = lib.types.enum [
      "copy"
      "link"
    ];
    default = "copy";
    description = ''
      copy installs regular files at activation and removes them when their subagent goes, which every host reads;
      link makes one symbolic link for each file into the store, which Codex, goose and Kiro do not load.
    '';
  };
}
