"""Cuts the variable fonts of @fontsource-variable down to what English and Spanish pages show, into web/fonts/.

Run by hand when a font package changes; its output is committed, so a build needs no Python:
    python3 -m venv /tmp/fonts && /tmp/fonts/bin/pip install fonttools==4.68.0 brotli
    /tmp/fonts/bin/python lab/pictures/subset-fonts.py
It prints the metrics for the fallback faces in web/styles.css (CSS Fonts 5, "size-adjust" and "ascent-override").
"""
from pathlib import Path
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables import otBase
from fontTools.varLib import instancer

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / 'node_modules' / '@fontsource-variable'
# Printable ASCII; the letters, marks and signs of Western European languages; typographic punctuation; a few arrows.
LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x100), 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x20AC, 0x2190, 0x2192, 0x2212, 0x2022]
# An address or a code is ASCII; anything else a stranger writes falls back to the system's own mono.
ADDRESS = [*range(0x20, 0x7F), 0xA0, 0xB7, 0x2026, 0x2022]
FONTS = [
    ('instrument-sans', 'instrument-sans-latin-wght-normal', LETTERS, None, ['kern', 'liga', 'tnum', 'mark', 'mkmk', 'ccmp', 'locl']),
    ('jetbrains-mono', 'jetbrains-mono-latin-wght-normal', ADDRESS, (400, 700), ['ccmp']),
    ('newsreader', 'newsreader-latin-wght-normal', LETTERS, (400, 700), ['kern', 'liga', 'onum', 'lnum', 'mark', 'mkmk', 'ccmp', 'locl']),
]
# What may be drawn closer to a full stop: quotation marks and brackets. Letters pulled over it hide the dot that tells one address or host
# from another, and in a field or a link of a mail no markup can say where one begins.
NEAR_STOP = set('"\'\u201c\u201d\u2018\u2019\xab\xbb()[]')
# Average advance of the fallback faces in em, and letter frequencies of running English text.
FALLBACKS = {'instrument-sans': ('Arial', 'arial'), 'jetbrains-mono': ('Courier New', 'mono'), 'newsreader': ('Georgia', 'georgia')}
FREQUENCY = {' ': 18.3, 'e': 10.3, 't': 7.5, 'a': 6.5, 'o': 6.2, 'n': 5.7, 'i': 5.7, 's': 5.3, 'r': 5.0, 'h': 5.0, 'l': 3.3, 'd': 3.3,
             'u': 2.3, 'c': 2.2, 'm': 2.0, 'f': 2.0, 'w': 1.7, 'g': 1.6, 'p': 1.5, 'y': 1.4, 'b': 1.3, 'v': 0.8, 'k': 0.6}
# Advances in units of 2048 as Arial, Georgia and Courier New have them.
ADVANCES = {
    'arial': {' ': 569, 'e': 1139, 't': 569, 'a': 1139, 'o': 1139, 'n': 1139, 'i': 455, 's': 1024, 'r': 682, 'h': 1139, 'l': 455, 'd': 1139,
              'u': 1139, 'c': 1024, 'm': 1706, 'f': 569, 'w': 1479, 'g': 1139, 'p': 1139, 'y': 1024, 'b': 1139, 'v': 1024, 'k': 1024},
    'georgia': {' ': 494, 'e': 991, 't': 709, 'a': 1032, 'o': 1104, 'n': 1192, 'i': 600, 's': 884, 'r': 838, 'h': 1165, 'l': 586, 'd': 1149,
                'u': 1178, 'c': 929, 'm': 1802, 'f': 665, 'w': 1511, 'g': 1043, 'p': 1170, 'y': 1009, 'b': 1146, 'v': 1017, 'k': 1094},
    'mono': dict.fromkeys(FREQUENCY, 1229),
}


def average(advance):
    return sum(advance(letter) * weight for letter, weight in FREQUENCY.items()) / sum(FREQUENCY.values())


def keep_stops_clear(font):
    """Drops the kerning of the full stop, and of the comma where both share a class, with all but NEAR_STOP."""
    names = font.getBestCmap()
    stop, near = names[ord('.')], {names[ord(sign)] for sign in NEAR_STOP if ord(sign) in names}
    tables = [getattr(table, 'ExtSubTable', table) for lookup in font['GPOS'].table.LookupList.Lookup for table in lookup.SubTable]
    for table in (table for table in tables if table.LookupType == 2):
        if table.Format == 1:
            for first, pairs in zip(table.Coverage.glyphs, table.PairSet):
                kept = [pair for pair in pairs.PairValueRecord if stop not in (first, pair.SecondGlyph) or {first, pair.SecondGlyph} & near]
                pairs.PairValueRecord, pairs.PairValueCount = kept, len(kept)
            continue
        firsts, seconds = table.ClassDef1.classDefs, table.ClassDef2.classDefs
        kept1 = {firsts.get(name, 0) for name in near if name in table.Coverage.glyphs}
        kept2 = {seconds.get(name, 0) for name in near}
        for i, first in enumerate(table.Class1Record):
            for j, pair in enumerate(first.Class2Record):
                is_stop = i == firsts.get(stop, 0) and stop in table.Coverage.glyphs and j not in kept2
                if is_stop or (j == seconds.get(stop, 0) and i not in kept1):
                    pair.Value1 = otBase.ValueRecord(table.ValueFormat1)


def metrics(package, font):
    upm, hhea, cmap, hmtx = font['head'].unitsPerEm, font['hhea'], font.getBestCmap(), font['hmtx']
    name, table = FALLBACKS[package]
    own = average(lambda letter: hmtx[cmap[ord(letter)]][0]) / upm
    size = own / (average(lambda letter: ADVANCES[table][letter]) / 2048)
    share = lambda value: f'{abs(value) / upm / size:.2%}'
    return f'{name}: size-adjust {size:.2%}; ascent {share(hhea.ascent)}; descent {share(hhea.descent)}; line-gap {share(hhea.lineGap)}'


for package, file, characters, weights, features in FONTS:
    font = TTFont(PACKAGES / package / 'files' / f'{file}.woff2')
    options = subset.Options(layout_features=features, hinting=False, flavor='woff2', desubroutinize=True, name_IDs=[0, 1, 2, 13, 14])
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=characters)
    cutter.subset(font)
    if 'kern' in features:
        keep_stops_clear(font)
    if weights:
        font = instancer.instantiateVariableFont(font, {'wght': weights})
    font.flavor = 'woff2'
    target = ROOT / 'web' / 'fonts' / f'{package}.woff2'
    font.save(target)
    print(f'{target.name}: {target.stat().st_size} bytes; {metrics(package, font)}')
