# The reference of the module's options, as Markdown.
let
  lib = import ./stand-in-lib.nix;
  options =
    import ../options.nix {
      inherit lib;
      package = null;
    }
    // import ../install-option.nix { inherit lib; };

  isOption = v: builtins.isAttrs v && (v._type or "") == "option";
  flatten =
    path: set:
    builtins.concatMap (
      name:
      if isOption set.${name} then
        [
          {
            name = path + name;
            option = set.${name};
          }
        ]
      else
        flatten (path + name + ".") set.${name}
    ) (builtins.attrNames set);

  text = v: if builtins.isString v then v else builtins.toJSON v;
  indent = s: "    " + builtins.replaceStrings [ "\n" ] [ "\n    " ] (lib.removeSuffix "\n" s);
  fold = s: builtins.replaceStrings [ "\n" ] [ " " ] (lib.removeSuffix "\n" s);

  row =
    { name, option }:
    ''
      ## `programs.subagents.${name}`

      ${fold option.description}

      - type: ${option.type.name}
    ''
    + (
      if option ? defaultText then
        "- default: `${option.defaultText}`\n"
      else if option ? default then
        "- default: `${text (if option.default == null then "null" else option.default)}`\n"
      else
        "- read-only\n"
    )
    + (if option ? example then "- example:\n\n${indent (text option.example)}\n" else "");
in
''
  # Options of the Nix modules

  Made from `nix/options.nix` by `nix/test --write`. `install` is home-manager's alone.

''
+ lib.concatStringsSep "\n" (map row (flatten "" options))
