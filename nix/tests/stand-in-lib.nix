# A stand-in for the parts of the nixpkgs library that the modules use, for
# machines where nixpkgs cannot be had. It is not the real library: it merges
# what these modules define, checks what these options declare, and no more.
let
  inherit (builtins)
    all
    attrNames
    concatMap
    concatStringsSep
    elem
    filter
    foldl'
    hasAttr
    isAttrs
    isBool
    isList
    isPath
    isString
    listToAttrs
    map
    replaceStrings
    stringLength
    substring
    ;

  type = name: check: {
    inherit name check;
    _type = "type";
  };

  types = {
    str = type "str" isString;
    bool = type "bool" isBool;
    path = type "path" (v: isPath v || (isString v && substring 0 1 v == "/") || (isAttrs v && v ? outPath));
    package = type "package" (v: isAttrs v && v ? outPath);
    anything = type "anything" (_: true);
    enum = values: type "enum" (v: elem v values);
    nullOr = t: type "nullOr ${t.name}" (v: v == null || t.check v);
    either = a: b: type "${a.name} or ${b.name}" (v: a.check v || b.check v);
    attrsOf = t: type "attrsOf ${t.name}" (v: isAttrs v && all (n: t.check v.${n}) (attrNames v));
    listOf = t: type "listOf ${t.name}" (v: isList v && all t.check v);
  };

  escapeShellArg =
    s:
    let
      text = toString s;
    in
    "'" + replaceStrings [ "'" ] [ "'\\''" ] text + "'";

  # Conditions and merges become a list of plain definitions.
  definitions =
    v:
    if isAttrs v && (v._type or "") == "if" then
      if v.condition then definitions v.content else [ ]
    else if isAttrs v && (v._type or "") == "merge" then
      concatMap definitions v.contents
    else
      [ v ];

  isOption = v: isAttrs v && (v._type or "") == "option";

  lib = rec {
    inherit
      types
      escapeShellArg
      filter
      concatMap
      concatStringsSep
      listToAttrs
      ;
    mkOption = o: o // { _type = "option"; };
    mkEnableOption =
      what:
      mkOption {
        type = types.bool;
        default = false;
        description = "Whether to enable ${what}.";
      };
    mkIf = condition: content: {
      _type = "if";
      inherit condition content;
    };
    mkMerge = contents: {
      _type = "merge";
      inherit contents;
    };
    literalExpression = text: text;
    escapeShellArgs = args: concatStringsSep " " (map escapeShellArg args);
    optional = condition: v: if condition then [ v ] else [ ];
    optionals = condition: v: if condition then v else [ ];
    optionalString = condition: v: if condition then v else "";
    removePrefix =
      prefix: s:
      if substring 0 (stringLength prefix) s == prefix then substring (stringLength prefix) (-1) s else s;
    removeSuffix =
      suffix: s:
      let
        n = stringLength s - stringLength suffix;
      in
      if n >= 0 && substring n (-1) s == suffix then substring 0 n s else s;
    attrByPath =
      path: default: set:
      if path == [ ] then
        set
      else if isAttrs set && hasAttr (builtins.head path) set then
        attrByPath (builtins.tail path) default set.${builtins.head path}
      else
        default;
    fileContents = path: removeSuffix "\n" (builtins.readFile path);
    hm.dag = {
      entryAfter = after: data: { inherit after data; };
      entryBefore = before: data: { inherit before data; };
    };

    # Evaluates one module with the configuration that a person wrote beside it.
    evaluate =
      {
        module,
        pkgs,
        user,
      }:
      let
        result = module {
          inherit lib pkgs;
          config = whole;
        };
        values =
          path: options: defs:
          builtins.mapAttrs (
            name: option:
            let
              set = filter (d: isAttrs d && hasAttr name d) defs;
              found = concatMap (d: definitions d.${name}) set;
            in
            if isOption option then
              let
                value = if found == [ ] then option.default else builtins.elemAt found (builtins.length found - 1);
              in
              if option.type.check value then
                value
              else
                throw "${concatStringsSep "." (path ++ [ name ])} is not of type ${option.type.name}"
            else
              values (path ++ [ name ]) option found
          ) options;
        moduleDefs = definitions result.config;
        own = values [ "programs" "subagents" ] result.options.programs.subagents (
          map (d: d.programs.subagents or { }) ([ user ] ++ moduleDefs)
        );
        # What the module sets outside its own options, merged by name.
        merge =
          a: b:
          a
          // builtins.mapAttrs (
            n: v:
            let
              flat = definitions v;
              last = if flat == [ ] then null else builtins.elemAt flat (builtins.length flat - 1);
            in
            if flat == [ ] then
              a.${n} or { }
            else if isAttrs last && !(last ? outPath) && isAttrs (a.${n} or { }) then
              merge (a.${n} or { }) last
            else
              last
          ) b;
        outside = foldl' (a: d: merge a (removeAttrs d [ "programs" ])) { } moduleDefs;
        whole = user // {
          programs = (user.programs or { }) // {
            subagents = own;
          };
        };
      in
      whole // { set = outside; options = result.options.programs.subagents; };
  };
in
lib
