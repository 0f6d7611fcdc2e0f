"""Checks senders with pyspf or dkimpy, which is its argument. Reads one case as JSON a line, and prints its result, or nothing."""

import base64
import json
import sys

import dkim
import spf


def records(case, name, kind):
    return case["zone"].get(f"{name.rstrip('.').lower()} {kind}", [])


def check_spf(case):
    def lookup(name, kind, tcpfallback=True, timeout=30):
        if f"{name.lower()} {kind}" in case["silent"]:
            raise spf.TempError("DNS time-out")
        alias = records(case, name, "CNAME")
        if alias:
            return [((name, "CNAME"), alias[0])]
        found = records(case, name, kind)
        if kind == "TXT":
            found = [(each.encode("latin-1"),) for each in found]
        if kind == "MX":
            found = [(int(each.split(" ")[0]), each.split(" ")[1]) if " " in each else (0, each) for each in found]
        return [((name, kind), each) for each in found]

    spf.DNSLookup = lookup
    return spf.query(i=case["ip"], s=case["from"], h=case["helo"], strict=True).check()[0]


def check_signatures(case):
    raw = base64.b64decode(case["raw"])

    def lookup(name, timeout=5):
        found = records(case, name.decode() if isinstance(name, bytes) else name, "TXT")
        return found[0].encode("latin-1") if found else None

    if case["kind"] == "arc":
        # None stands for a chain that its last seal calls failed: findings/dkimpy-failed-chain.sh.
        return (dkim.arc_verify(raw, dnsfunc=lookup)[0] or dkim.CV_Fail).decode()
    signatures = raw.lower().count(b"dkim-signature:")
    for at in range(signatures):
        try:
            if dkim.DKIM(raw).verify(idx=at, dnsfunc=lookup):
                return "pass"
        except dkim.DKIMException:
            pass
    return "fail"


for line in sys.stdin:
    case = json.loads(line)
    if (case["kind"] == "spf") != (sys.argv[1] == "pyspf"):
        print()
    else:
        print(check_spf(case) if case["kind"] == "spf" else check_signatures(case))
