#!/usr/bin/env bash
# One expects the first of two `max_age` lines of an MTA-STS policy to count: RFC 8461 section 3.2 says that of a field that is there twice all entries
# but the first must be ignored, and section 3.1 says the same of the TXT record.
# postfix-mta-sts-resolver 1.5.1 (PyPI) keeps the last, of policy and record alike; mailauth 7.1.0 keeps the first of a policy.
# It matters to whoever changes a policy by adding a line: one sender holds the same file for a day, another for a year, both without a word, and a
# second id in the record is what the first of them follows.
# Wrong guess: both keep the first, since the RFC says must.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-save --ignore-scripts --force --prefix "$folder" mailauth@7.1.0 >/dev/null 2>&1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check postfix-mta-sts-resolver==1.5.1
printf 'version: STSv1\r\nmode: enforce\r\nmx: mx.shop.example\r\nmax_age: 31536000\r\nmax_age: 86400\r\n' >policy.txt
cat >finding.cjs <<'JS'
const { readFileSync } = require('node:fs')
const { parsePolicy } = require('mailauth/lib/mta-sts.js')

console.log('mailauth', require('mailauth/package.json').version, 'max_age', parsePolicy(readFileSync('policy.txt', 'latin1')).maxAge)
JS
cat >finding.py <<'PY'
from importlib.metadata import version
from pathlib import Path

from postfix_mta_sts_resolver.utils import parse_mta_sts_policy, parse_mta_sts_record

print("postfix-mta-sts-resolver", version("postfix-mta-sts-resolver"), "max_age", parse_mta_sts_policy(Path("policy.txt").read_text())["max_age"])
print("postfix-mta-sts-resolver id", parse_mta_sts_record("v=STSv1; id=20261127; id=20261128;")["id"])
PY
cat >expected.txt <<'TXT'
mailauth 7.1.0 max_age 31536000
postfix-mta-sts-resolver 1.5.1 max_age 86400
postfix-mta-sts-resolver id 20261128
TXT
{
  node finding.cjs
  venv/bin/python finding.py
} | tee found.txt
diff expected.txt found.txt
