# Copyright: the subagents authors
# SPDX-License-Identifier: Apache-2.0
"""Names of temporary files.

They carry the ledger that they belong to, so that a run removes what an earlier
run of the same ledger left behind, and nothing that another one is just writing.
"""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import base64
import hashlib
import os
import re

_RANDOM = re.compile(r'[A-Z2-7]{26,}\Z')
_SUFFIX = '.tmp'


def temp_id(path):
    """Name a ledger, by its real path, in the names of temporary files and of the lock."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:32]


def temp_name(ident):
    """Make a name that nothing has."""
    return _prefix(ident) + base64.b32encode(os.urandom(20)).decode('ascii')[:26] + _SUFFIX


def is_temp(name, ident):
    """Say whether a name is that of a temporary file of a ledger."""
    prefix = _prefix(ident)
    return name.startswith(prefix) and name.endswith(_SUFFIX) and bool(_RANDOM.match(name[len(prefix):-len(_SUFFIX)]))


def _prefix(ident):
    return '.subagents-%s-' % ident
