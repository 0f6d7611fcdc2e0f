#!/usr/bin/env bash
# One expects a reader of TLS reports to keep the hosts that a policy allows: RFC 8460 section 4.4 names that field `mx-host`, an array, and its own
# example in appendix B has it as one string.
# parsedmarc 11.1.0 (PyPI) looks for `mx-host-pattern` alone, which in the RFC is the name of the value and no field, so that the hosts of a report by the
# RFC are left out of its result, string or array, without a word; the rest of the same report is all there.
# It matters to whoever looks into `validation-failure` or `certificate-host-mismatch`: what the sender compared with is the half that is missing.
# Wrong guess: the example of the RFC is read whole, and the array too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check parsedmarc==11.1.0
cat >finding.py <<'PY'
import json

from parsedmarc import __version__, parse_smtp_tls_report_json

print("parsedmarc", __version__)
for name, hosts in [("mx-host", "*.shop.example"), ("mx-host", ["mx1.shop.example", "mx2.shop.example"]), ("mx-host-pattern", ["*.shop.example"])]:
    report = {
        "organization-name": "Home",
        "date-range": {"start-datetime": "2026-11-27T00:00:00Z", "end-datetime": "2026-11-27T23:59:59Z"},
        "contact-info": "tls@home.example",
        "report-id": "1",
        "policies": [
            {
                "policy": {
                    "policy-type": "sts",
                    "policy-string": ["version: STSv1", "mode: enforce", "mx: *.shop.example", "max_age: 86400"],
                    "policy-domain": "shop.example",
                    name: hosts,
                },
                "summary": {"total-successful-session-count": 5, "total-failure-session-count": 1},
                "failure-details": [
                    {
                        "result-type": "certificate-host-mismatch",
                        "sending-mta-ip": "192.0.2.1",
                        "receiving-mx-hostname": "mail.shop.example",
                        "failed-session-count": 1,
                    }
                ],
            }
        ],
    }
    [policy] = parse_smtp_tls_report_json(json.dumps(report))["policies"]
    kept = {key: value for key, value in policy.items() if "mx" in key}
    print(name, json.dumps(hosts), "->", json.dumps(kept), policy["failure_details"][0]["result_type"])
PY
cat >expected.txt <<'TXT'
parsedmarc 11.1.0
mx-host "*.shop.example" -> {} certificate-host-mismatch
mx-host ["mx1.shop.example", "mx2.shop.example"] -> {} certificate-host-mismatch
mx-host-pattern ["*.shop.example"] -> {"mx_host_patterns": ["*.shop.example"]} certificate-host-mismatch
TXT
venv/bin/python finding.py 2>/dev/null | tee found.txt
diff expected.txt found.txt
