import { type Pages, page, words } from './page.ts'

type Row = readonly [string, string]
const RASTER =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC'
const remote = (name: string) => `https://pictures.example/${name}`
const tags = (names: string) => names.split(' ').map((tag): Row => [tag, `<${tag}>inside ${tag}</${tag}>`])
const GREEN = 'background:#00aa66;color:#ffffff'

/** Elements, their attributes, and pictures. */
export const ELEMENT_PAGES: Pages = {
  headings: page('headings', tags('h1 h2 h3 h4 h5 h6')),
  'words set apart': page('words set apart', tags('b strong i em u s strike del ins small big sub sup mark q cite dfn abbr time var')),
  code: page('code', [...tags('code kbd samp tt pre'), ['lines', '<pre>two\n   lines</pre>']]),
  blocks: page('blocks', tags('p div blockquote address center article aside section nav header footer main hgroup figure search')),
  figure: page('figure', [
    ['figure', `<figure style="${GREEN}">words<figcaption style="background:#006633">caption</figcaption></figure>`],
  ]),
  lists: page('lists', [
    ['ul', '<ul><li>1<li>2<ul><li>3</ul></ul>'],
    ['ol', '<ol><li>1<li>2</ol>'],
    ['start', '<ol start="7"><li>7<li>8</ol>'],
    ['type', '<ol type="i"><li>1<li>2</ol>'],
    ['reversed', '<ol reversed><li>2<li>1</ol>'],
    ['dl', '<dl><dt>term<dd>meaning</dl>'],
    ['dir, menu', '<dir><li>1</dir><menu><li>1</menu>'],
  ]),
  lines: page('lines', [
    ['hr', '<hr>'],
    ['hr dressed', '<hr style="border:0;height:4px;background:#0066cc;width:50%">'],
    ['hr attributes', '<hr size="6" width="40%" color="#cc2222" align="left" noshade>'],
    ['br', 'a<br>b'],
    ['wbr', 'Incomprehensibilities<wbr>Incomprehensibilities<wbr>x'],
    ['nobr', `<nobr>some words</nobr>`],
  ]),
  'font and basefont': page('font and basefont', [
    ['size', '<font size="1">1</font> <font size="7">7</font> <font size="+2">+2</font>'],
    ['color', '<font color="red">red</font> <font color="06c">blue</font>'],
    ['face', '<font face="monospace">mono</font>'],
  ]),
  bidirectional: page('bidirectional', [
    ['bdi', '<bdi>إيان</bdi>: 3'],
    ['bdo', '<bdo dir="rtl">abc</bdo>'],
    ['dir', '<p dir="rtl">abc, def!</p>'],
    ['auto', '<p dir="auto">مرحبا</p>'],
  ]),
  ruby: page('ruby', [
    ['ruby', '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>'],
    ['rtc', '<ruby><rb>字</rb><rt>ji</rt></ruby>'],
  ]),
  details: page('details', [
    ['closed', '<details>words<summary>more</summary></details>'],
    ['open', '<details open><summary>more</summary>words</details>'],
  ]),
  dialog: page('dialog', [
    ['closed', '<dialog>closed</dialog>x'],
    ['popover', '<div popover>hidden</div>x'],
  ]),
  'progress and meter': page('progress and meter', [
    ['progress', '<progress value="8" max="10"></progress>'],
    ['unknown', '<progress></progress>'],
    ['meter', '<meter value="8" min="0" max="10"></meter>'],
    ['low', '<meter value="1" min="0" low="3" high="8" optimum="9" max="10"></meter>'],
  ]),
  buttons: page('buttons', [
    ['button', '<button>Press</button>'],
    ['type', '<button type="submit" style="padding:10px 30px;background:#0066cc;color:#ffffff;border:0">Send</button>'],
    ['reset', '<button type="reset">Reset</button>'],
    ['disabled', '<button disabled>Off</button>'],
  ]),
  fields: page('fields', [
    ['text', '<input type="text" value="written">'],
    ['placeholder', '<input placeholder="hint">'],
    ['password', '<input type="password" value="abc">'],
    ['sized', '<input size="8" value="8"> <input style="width:150px;padding:6px;border:2px solid #0066cc">'],
    ['number', '<input type="number" value="7">'],
    ['textarea', '<textarea>lines\nof text</textarea>'],
  ]),
  checkboxes: page('checkboxes', [
    ['checkbox', '<label><input type="checkbox"> off</label> <label><input type="checkbox" checked> on</label>'],
    ['radio', '<input type="radio"> a <input type="radio" checked> b'],
    ['hidden', '<input type="hidden" value="x">y'],
  ]),
  choices: page('choices', [
    ['select', '<select><option>first<option selected>second</select>'],
    ['datalist', '<input list="d"><datalist id="d"><option value="x"></datalist>'],
    ['multiple', '<select multiple size="3"><option>a<option>b<option>c</select>'],
  ]),
  'input buttons': page('input buttons', [
    ['submit', '<input type="submit">'],
    ['value', '<input type="submit" value="Go on">'],
    ['button', '<input type="button" value="Press" style="padding:8px 20px;background:#0066cc;color:#ffffff;border:0">'],
    ['reset', '<input type="reset">'],
  ]),
  'other inputs': page('other inputs', [
    ['range', '<input type="range" value="70">'],
    ['color', '<input type="color" value="#cc2222">'],
    ['file', '<input type="file">'],
    ['date', '<input type="date">'],
  ]),
  form: page('form', [
    ['form', `<form action="https://a.example/" style="${GREEN};padding:10px"><p>inside a form</p></form>`],
    ['fieldset', '<fieldset><legend>Legend</legend>inside</fieldset>'],
    ['label', '<label style="color:#cc2222">label</label>'],
    ['output', '<output>output</output>'],
  ]),
  tables: page('tables', [
    ['border', '<table border="3" cellpadding="6" cellspacing="4"><tr><td>a<td>b</table>'],
    ['width', '<table width="50%" border="1"><tr><td width="30%">a<td>b</table>'],
    ['align', '<table align="right" border="1"><tr><td>a</table>'],
    ['bgcolor', '<table bgcolor="#99ccee"><tr bgcolor="#ffcc00"><td>a<td bgcolor="#cc2222">b</table>'],
    ['spans', '<table border="1"><tr><td rowspan="2">a<td>b<tr><td>c<tr><td colspan="2">d</table>'],
    ['caption', '<table border="1"><caption>cap</caption><thead><tr><th>h</thead><tbody><tr><td>b</tbody><tfoot><tr><td>f</tfoot></table>'],
    ['height, valign', '<table border="1" height="80"><tr><td valign="top">t<td valign="bottom">b<td valign="middle">m</table>'],
    ['cols', '<table border="1" width="100%"><colgroup><col width="70%"><col style="background:#99ccee"></colgroup><tr><td>a<td>b</table>'],
    ['rules, frame', '<table rules="cols" frame="above" border="1"><tr><td>a<td>b</table>'],
    ['nowrap', `<table width="120"><tr><td nowrap>${words(1).slice(0, 20)}</table>`],
    ['char', '<table border="1" bordercolor="#cc2222"><tr><td>a</table>'],
  ]),
  'a wide table': page('a wide table', [
    ['600', '<div style="overflow:hidden"><table width="600" style="background:#99ccee"><tr><td>fixed width</table></div>'],
  ]),
  'layout of 600': `<html><body style="margin:0;background:#eeeeee"><table width="100%" cellpadding="0" cellspacing="0"><tr><td align="center"><table width="100%" style="max-width:600px;background:#ffffff" cellpadding="20"><tr><td style="font:16px/24px Arial">${words(4)}</td></tr></table></td></tr></table></body></html>`,
  'align and attributes': page('align and attributes', [
    ['p', '<p align="center">middle</p>'],
    ['div', '<div align="right">right</div>'],
    ['h2', '<h2 align="center">head</h2>'],
    ['hspace', `<img src="${RASTER}" hspace="20" vspace="10" alt="" align="left">words`],
    ['width', `<img src="${RASTER}" width="80" height="40" alt="">`],
    ['border', `<img src="${RASTER}" border="4" width="40" alt="">`],
  ]),
  'background attribute': page('background attribute', [
    ['td', `<table width="100%" background="${RASTER}"><tr><td height="60">on a picture</td></tr></table>`],
    ['body', 'x'],
  ]).replace('<body>', `<body background="${RASTER}">`),
  'body attributes':
    '<html lang="en"><body bgcolor="#ffffcc" text="#003366" link="#cc2222" vlink="#cc2222" style="font:20px serif;padding:20px"><p>words <a href="https://a.example/">link</a></p></body></html>',
  links: page('links', [
    ['https', '<a href="https://a.example/">link</a>'],
    ['anchor', '<a href="#there">to</a> <a id="there" name="there">here</a>'],
    ['mailto', '<a href="mailto:a@b.example">mail</a>'],
    ['tel', '<a href="tel:+34123">call</a>'],
    ['sms', '<a href="sms:+34123">text</a>'],
    ['relative', '<a href="/page">page</a>'],
    ['dressed', `<a href="https://a.example/" style="display:inline-block;padding:12px 24px;text-decoration:none;${GREEN}">Go</a>`],
  ]),
  'base and target': page('base and target', [['target', '<a href="https://a.example/" target="_top">top</a>']]).replace(
    '<head>',
    '<head><base href="https://a.example/" target="_blank">',
  ),
  'aria and roles': page('aria and roles', [
    ['role', '<p role="heading" aria-level="2">x</p>'],
    ['hidden', '<p aria-hidden="true">seen</p>'],
    ['label', '<p aria-label="y" aria-describedby="z" tabindex="0">x</p>'],
  ]),
  'global attributes': page('global attributes', [
    ['hidden', '<p hidden>gone</p>x'],
    ['title', '<p title="t">x</p>'],
    ['lang', '<p lang="fr">x</p>'],
    ['inert', '<p inert>x</p>'],
    ['contenteditable', '<p contenteditable>x</p>'],
    ['translate', '<p translate="no">x</p>'],
  ]),
  'acronym and old elements': page('acronym and old elements', [
    ...tags('acronym tt big strike center'),
    ['marquee', '<marquee behavior="alternate" loop="1" scrollamount="0">moves</marquee>'],
    ['blink', '<blink>x</blink>'],
    ['xmp', '<plain>y</plain>'],
  ]),
  'pictures that are blocked': page('pictures that are blocked', [
    [
      'sized',
      `<img src="${remote('a.png')}" width="120" height="60" alt="Words for it" style="display:block;font:14px serif;color:#cc2222;background:#eeeeee">`,
    ],
    ['spacer', `<img src="${remote('s.gif')}" width="1" height="30" alt="">`],
    ['percent', `<img src="${remote('b.png')}" width="100%" height="40" alt="" style="display:block;background:#eeeeee">`],
    ['no alt', `<img src="${remote('c.png')}" width="50" height="50">`],
  ]),
  'pictures within': page('pictures within', [
    ['png', `<img src="${RASTER}" width="60" height="60" alt="">`],
    ['gif', '<img width="30" height="30" alt="" src="data:image/gif;base64,R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=">'],
    ['rounded', `<img src="${RASTER}" width="60" height="60" alt="" style="border-radius:30px">`],
    ['max-width', `<img src="${RASTER}" alt="" style="width:100%;max-width:300px;height:auto">`],
  ]),
  'picture and srcset': page('picture and srcset', [
    [
      'picture',
      `<picture><source media="(min-width:5000px)" srcset="${remote('x.png')}"><img src="${RASTER}" width="60" alt=""></picture>`,
    ],
    ['lazy', `<img loading="lazy" src="${RASTER}" width="60" alt="">`],
    ['decoding', `<img decoding="async" src="${RASTER}" width="60" alt="">`],
  ]),
  'image map': page('image map', [
    [
      'usemap',
      `<img src="${RASTER}" usemap="#m" width="100" height="60" alt="" border="0"><map name="m"><area shape="rect" coords="0,0,50,60" href="https://a.example/" alt="left"></map>`,
    ],
  ]),
  'vector pictures': page('vector pictures', [
    [
      'svg',
      '<svg width="100" height="60" viewBox="0 0 100 60"><rect width="100" height="60" fill="#0066cc"/><circle cx="50" cy="30" r="20" fill="#ffffff"/></svg>',
    ],
  ]),
  'film and sound': page('film and sound', [
    ['video', '<video width="200" height="100" controls><p>words for the film</p></video>'],
    ['audio', '<audio controls>words for the sound</audio>'],
    ['object', '<object data="https://a.example/x" type="image/png"><p style="background:#99ccee">instead</p></object>'],
  ]),
  'comments for Outlook': page('comments for Outlook', [
    ['mso', '<!--[if mso]><p>Outlook</p><![endif]--><p>others</p>'],
    ['not mso', '<!--[if !mso]><!--><p>others</p><!--<![endif]-->'],
    ['downlevel', '<![if !mso]><p>others</p><![endif]>'],
    ['vml', '<!--[if vml]><v:rect></v:rect><![endif]-->x'],
  ]),
  'unknown elements': page('unknown elements', [
    ['own', '<my-box>inside</my-box>'],
    ['o:p', '<o:p>inside</o:p>'],
    ['amp', '<amp-img width="20" height="20"></amp-img>x'],
    ['template', '<template>hidden</template>x'],
    ['slot', '<slot>inside</slot>'],
    ['noscript', '<noscript>no script</noscript>x'],
    ['canvas', '<canvas width="40" height="20">canvas words</canvas>'],
  ]),
  quirks: `<table width="100%"><tr><td height="40" style="font:20px serif">no doctype, no html, no body<td align=right style="font:20px serif">right</table><p style="font:20px serif">after`,
  characters: page('characters', [
    ['entities', '&amp; &lt; &copy; &hellip; &#8364; &#x1F41D; &nbsp;x'],
    ['emoji', '🐝 👩‍💻 🇪🇸'],
    ['zero width', 'a&zwnj;b&zwj;c&#8203;d'],
    ['soft hyphen', 'a&shy;b'],
  ]),
}
