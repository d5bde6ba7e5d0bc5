# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""JSON that is written back as it was read.

The ledger may hold keys of a newer program. Their values are never turned into
Python values, so that a number such as 1.50, the order of keys and the spelling
of an escape stay what they were.
"""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import re


class Raw:
    """A value of JSON as text."""

    def __init__(self, text):
        self.text = text


def _no_constant(name):
    raise ValueError('%s is no value of JSON' % name)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
_ENCODE = json.JSONEncoder(ensure_ascii=False).encode
_BLANK = re.compile(r'[ \t\n\r]*')
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_SURROGATE = re.compile('[\ud800-\udfff]')


def text_of(data):
    """Decode bytes of JSON. What is not UTF-8 is carried through as it is."""
    return data.decode('utf-8', 'surrogateescape')


def bytes_of(text):
    """Encode text of JSON."""
    return text.encode('utf-8', 'surrogateescape')


def loads(text):
    """Read a value. Raises ValueError."""
    try:
        value, end = _DECODER.raw_decode(text, _skip(text, 0))
    except RecursionError:
        raise ValueError('it is nested too deeply')
    if _skip(text, end) != len(text):
        raise ValueError('something follows the value')
    return value


def read_object(text):
    """Split an object into its keys and the text of their values.

    Of a key that stands there twice the last value counts. Raises ValueError.
    """
    at = _skip(text, 0)
    if text[at:at + 1] != '{':
        raise ValueError('an object is needed')
    fields = {}
    at = _skip(text, at + 1)
    if text[at:at + 1] == '}':
        at += 1
    else:
        at = _read_members(text, at, fields)
    if _skip(text, at) != len(text):
        raise ValueError('something follows the object')
    return fields


def _read_members(text, at, fields):
    """Read the members of an object from its first key on, and its brace."""
    while True:
        key, end = _decode(text, at)
        at = _skip(text, end)
        if not isinstance(key, str) or text[at:at + 1] != ':':
            raise ValueError('a key and a colon are needed')
        start = _skip(text, at + 1)
        _value, end = _decode(text, start)
        fields[clean(key)] = text[start:end]
        at = _skip(text, end)
        mark = text[at:at + 1]
        if mark == '}':
            return at + 1
        if mark != ',':
            raise ValueError('a comma or the end of the object is needed')
        at = _skip(text, at + 1)


def _decode(text, at):
    try:
        return _DECODER.raw_decode(text, at)
    except RecursionError:
        raise ValueError('it is nested too deeply')


def _skip(text, at):
    return _BLANK.match(text, at).end()


def clean(text):
    """Replace what is no character, as the program does when it reads JSON."""
    return _SURROGATE.sub('\ufffd', text)


def dumps(value):
    """Write a value: two spaces, keys sorted, a final line feed."""
    parts = []
    _write(value, '\n', parts)
    parts.append('\n')
    return ''.join(parts)


def _write(value, newline, parts):
    """Append the text of a value; newline is a line feed with its indent."""
    if isinstance(value, Raw):
        _write_raw(value.text, newline, parts)
    elif isinstance(value, dict):
        items = [(_string(key) + ': ', value[key]) for key in sorted(value)]
        _write_all('{', items, '}', newline, parts)
    elif isinstance(value, list):
        _write_all('[', [('', item) for item in value], ']', newline, parts)
    elif isinstance(value, str):
        parts.append(_string(value))
    else:
        parts.append(json.dumps(value))


def _write_all(opening, items, closing, newline, parts):
    parts.append(opening)
    inner = newline + '  '
    for i, (label, item) in enumerate(items):
        parts.append((',' if i else '') + inner + label)
        _write(item, inner, parts)
    parts.append((newline if items else '') + closing)


def _string(text):
    # The program writes the two line separators as escapes, always.
    return _ENCODE(clean(text)).replace('\u2028', '\\u2028').replace('\u2029', '\\u2029')


def _write_raw(text, newline, parts):
    """Indent the text of a value without touching its literals."""
    previous = ''
    for token in _TOKEN.findall(text):
        if token in '}]':
            newline = newline[:-2]
            if previous not in '{[':
                parts.append(newline)
        elif previous and previous in '{[,':
            parts.append(newline)
        parts.append(token + (' ' if token == ':' else ''))
        if token in '{[':
            newline += '  '
        previous = token
