/** Small mails of our own, one for each feature of HTML and CSS that newsletters draw with, for the comparison with the raw page. */

const css = (rules: string, body: string) => `<html><head><style>${rules}</style></head><body>${body}</body></html>`
const boxes = '<div class="a">first</div><div class="b">second</div><div class="c">third <span class="x">inside</span></div>'
const painted = '.a,.b,.c{padding:30px;background:#eee}'

export const FEATURES: Readonly<Record<string, string>> = {
  has: css(`${painted} div:has(.x){background:#0a0} body:has(.b) .a{background:#00a;color:#fff}`, boxes),
  siblings: css(`${painted} .a ~ div{background:#a00;color:#fff} .a + .b{padding:60px}`, boxes),
  nesting: css(`${painted} .c{background:#00a;& .x{color:#fff;background:#a0a}}`, boxes),
  layers: css(`@layer low{.a{background:#0a0}} @layer high{.a{background:#a00}} ${painted.replace('.a,', '')} .a{padding:30px}`, boxes),
  supports: css(`${painted} @supports (display:grid){.b{background:#0aa}} @supports (display:nonsense){.c{background:#a00}}`, boxes),
  media: css(`${painted} @media (min-width:300px){.a{background:#0a0}} @media (max-width:600px){.b{background:#a00}}`, boxes),
  container: css(
    `.box{container-type:inline-size;width:300px} ${painted} @container (max-width:400px){.a{background:#0a0}}`,
    `<div class="box">${boxes}</div>`,
  ),
  variables: css(
    `:root{--brand:#036} ${painted} .a{background:var(--brand);color:var(--none,#fff)} .b{border:4px solid var(--brand)}`,
    boxes,
  ),
  functions: css(
    `${painted} .a{width:calc(50% - 20px)} .b{width:clamp(100px,40%,300px)} .c{font-size:max(20px,1em);background:color-mix(in srgb,red,blue)}`,
    boxes,
  ),
  gradients: css('.a{height:80px;background:linear-gradient(90deg,red,blue)} .b{height:80px;background:radial-gradient(red,blue)}', boxes),
  'old gradients': css(
    '.a{height:80px;background:-webkit-linear-gradient(left,red,blue)} .b{height:80px;background:-webkit-gradient(linear,left top,right top,from(red),to(blue))}',
    boxes,
  ),
  grid: css(`body{display:grid;grid-template-columns:repeat(auto-fit,minmax(120px,1fr));gap:10px} ${painted}`, boxes),
  flex: css(`body{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:end} ${painted} .b{order:-1}`, boxes),
  columns: css('.a{columns:3 80px;column-rule:2px solid red}', `<div class="a">${'words that flow '.repeat(60)}</div>`),
  shapes: css(
    '.a{height:120px;background:#06c;clip-path:polygon(0 0,100% 0,50% 100%)} .b{shape-outside:circle(50%);float:left;width:100px;height:100px;background:#c60;border-radius:50%}',
    `${boxes}${'words '.repeat(80)}`,
  ),
  transforms: css(
    `${painted} .a{transform:rotate(3deg) translate3d(20px,0,0)} .b{scale:.8} .c{transform:perspective(200px) rotateY(20deg)}`,
    boxes,
  ),
  effects: css(
    `${painted} .a{box-shadow:0 0 20px #000} .b{filter:blur(2px) hue-rotate(90deg)} .c{mix-blend-mode:multiply;opacity:.5}`,
    boxes,
  ),
  'generated content': css(`${painted} .a::before{content:"» ";color:red} .b::after{content:counter(n);counter-increment:n 7}`, boxes),
  selectors: css(
    `${painted} div:nth-child(2 of div){background:#0a0} div:not(.a,.b){background:#a00} [class="a"]{background:#00a} :is(.x){color:#fff}`,
    boxes,
  ),
  'logical properties': css(
    `${painted} .a{margin-inline:40px 10px;border-block-start:8px solid red} .b{inset-inline-start:40px;position:relative}`,
    boxes,
  ),
  lists:
    '<ol start="5" reversed><li>five<li value="20">twenty<li>nineteen</ol><ol type="A"><li>a<li value="5">e</ol><ul style="list-style:square inside"><li>s</ul>',
  'br clear': '<div style="float:left;width:150px;height:150px;background:#06c"></div>beside<br clear="all">under it<hr>',
  ruby: '<p style="font-size:40px"><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby></p>',
  details: '<details open><summary>Open</summary><p>inside</p></details><details><summary>Closed</summary><p>inside</p></details>',
  progress:
    '<p><progress max="100" value="30"></progress></p><p><meter min="0" max="10" low="3" high="7" optimum="5" value="8"></meter></p>',
  button:
    '<button style="background:#06c;color:#fff;border:0;padding:20px 60px;font-size:20px;border-radius:8px">Go on</button><p>after</p>',
  fallbacks: '<object><p style="background:#06c;padding:40px">instead of an object</p></object><p>after</p>',
  'boxes with a name':
    '<fieldset><legend>Legend</legend><p>inside</p></fieldset><menu><li>one<li>two</menu><dialog>closed</dialog><nobr>one line</nobr>',
  'old attributes':
    '<body bgcolor="#ffffcc" text="#003366" link="#cc0000"><table width="100%" border="3" cellpadding="20" bgcolor="#cccccc"><tr><td align="right" valign="top" height="120"><font color="#006600" size="6" face="Georgia">old</font></td></tr></table><center>middle <a href="https://a.example/">link</a></center>',
  'ids and classes': css('#body{background:#06c;padding:30px} #body > .a{background:#fff}', `<div id="body">${boxes}</div>`),
  'right to left':
    '<html dir="rtl" lang="ar"><body><p>مرحبا بالعالم</p><table width="100%" border="1"><tr><td>١</td><td>٢</td></tr></table></body></html>',
}
