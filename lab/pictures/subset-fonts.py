"""Cuts the variable fonts of @fontsource-variable down to what English and Spanish pages show, into web/fonts/.

Run by hand when a font package changes; its output is committed, so a build needs no Python:
    python3 -m venv /tmp/fonts && /tmp/fonts/bin/pip install fonttools==4.68.0 brotli
    /tmp/fonts/bin/python lab/pictures/subset-fonts.py
It prints the metrics for the stand-ins in web/styles.css (CSS Fonts 5, "size-adjust" and "ascent-override").
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
# What stands in for each face in web/styles.css, and letter frequencies of running English text.
STAND_INS = {'instrument-sans': ('Arial', 'Arial Bold', 'Roboto', 'Roboto Bold', 'Noto Sans', 'Noto Sans Bold', 'DejaVu Sans',
                                 'DejaVu Sans Bold'),
             'jetbrains-mono': ('Courier New',), 'newsreader': ('Georgia', 'Times', 'Noto Serif', 'DejaVu Serif')}
FREQUENCY = {' ': 18.3, 'e': 10.3, 't': 7.5, 'a': 6.5, 'o': 6.2, 'n': 5.7, 'i': 5.7, 's': 5.3, 'r': 5.0, 'h': 5.0, 'l': 3.3, 'd': 3.3,
             'u': 2.3, 'c': 2.2, 'm': 2.0, 'f': 2.0, 'w': 1.7, 'g': 1.6, 'p': 1.5, 'y': 1.4, 'b': 1.3, 'v': 0.8, 'k': 0.6}
# Advances of the letters of FREQUENCY, in its order, in units of 2048. Courier New is as wide as the other mono fonts.
ADVANCES = {
    'Arial': [569, 1139, 569, 1139, 1139, 1139, 455, 1024, 682, 1139, 455, 1139, 1139, 1024, 1706, 569, 1479, 1139, 1139, 1024, 1139, 1024, 1024],
    'Arial Bold': [569, 1139, 682, 1139, 1251, 1251, 569, 1139, 797, 1251, 569, 1251, 1251, 1139, 1821, 682, 1593, 1251, 1251, 1139, 1251, 1139, 1139],
    'Roboto': [508, 1086, 670, 1114, 1168, 1131, 498, 1057, 694, 1128, 498, 1155, 1129, 1072, 1796, 712, 1539, 1150, 1150, 969, 1150, 992, 1038],
    'Roboto Bold': [510, 1107, 692, 1098, 1158, 1147, 543, 1054, 748, 1147, 543, 1155, 1147, 1069, 1773, 734, 1505, 1170, 1153, 1029, 1153, 1036, 1094],
    'Noto Sans': [532, 1155, 739, 1149, 1239, 1266, 528, 981, 846, 1266, 528, 1260, 1266, 983, 1915, 705, 1610, 1260, 1260, 1044, 1260, 1040, 1094],
    'Noto Sans Bold': [532, 1210, 889, 1237, 1268, 1346, 625, 1018, 930, 1346, 625, 1296, 1346, 1053, 2011, 793, 1753, 1296, 1296, 1165, 1296, 1165, 1270],
    'DejaVu Sans': [651, 1260, 803, 1255, 1253, 1298, 569, 1067, 842, 1298, 569, 1300, 1298, 1126, 1995, 721, 1675, 1300, 1300, 1212, 1300, 1212, 1186],
    'DejaVu Sans Bold': [713, 1389, 979, 1382, 1407, 1458, 702, 1219, 1010, 1458, 702, 1466, 1458, 1214, 2134, 891, 1892, 1466, 1466, 1335, 1466, 1335, 1362],
    'Georgia': [494, 991, 709, 1032, 1104, 1192, 600, 884, 838, 1165, 586, 1149, 1178, 929, 1802, 665, 1511, 1043, 1170, 1009, 1146, 1017, 1094],
    'Times': [512, 909, 569, 909, 1024, 1024, 569, 797, 682, 1024, 569, 1024, 1024, 909, 1593, 682, 1479, 1024, 1024, 1024, 1024, 1024, 1024],
    'Noto Serif': [532, 1096, 721, 1153, 1182, 1321, 655, 924, 965, 1300, 635, 1257, 1300, 1008, 1935, 756, 1765, 1102, 1257, 1157, 1257, 1186, 1198],
    'DejaVu Serif': [651, 1212, 823, 1221, 1233, 1319, 655, 1051, 979, 1319, 655, 1311, 1319, 1147, 1942, 758, 1753, 1311, 1311, 1157, 1311, 1157, 1241],
    'Courier New': [1229] * len(FREQUENCY),
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
    upm, hhea, cmap = font['head'].unitsPerEm, font['hhea'], font.getBestCmap()
    for name in STAND_INS[package]:
        # Headlines are set in 600.
        hmtx = instancer.instantiateVariableFont(font, {'wght': 600 if name.endswith('Bold') else 400}, inplace=False)['hmtx']
        own = average(lambda letter: hmtx[cmap[ord(letter)]][0]) / upm
        advances = dict(zip(FREQUENCY, ADVANCES[name]))
        size = own / (average(advances.get) / 2048)
        share = lambda value: f'{abs(value) / upm / size:.2%}'
        yield f'{name}: size-adjust {size:.2%}; ascent {share(hhea.ascent)}; descent {share(hhea.descent)}; line-gap {share(hhea.lineGap)}'


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
    print(f'{target.name}: {target.stat().st_size} bytes', *metrics(package, font), sep='\n  ')
