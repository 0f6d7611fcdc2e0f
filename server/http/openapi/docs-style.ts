/** How the API reference looks: its layout, in the colours and faces of the site's own style sheet (web/styles.css). */
export const DOCS_STYLE = `
html{scroll-padding-top:4rem}html:focus-within{scroll-behavior:auto}
body{margin:0}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
#languages{inset:3.25rem max(1rem,calc((100% - 72rem)/2 + 1rem)) auto auto;min-width:min(11rem,calc(100vw - 2.5rem));padding:.375rem 0;border:1px solid var(--color-line);border-radius:var(--radius-md);background:var(--color-raised);color:inherit;box-shadow:var(--shadow-lift)}
#languages a{display:flex;align-items:center;min-height:2.75rem;padding-inline:1rem}#languages a:hover{background:var(--color-sunken)}#languages [aria-current]{font-weight:600}
.way-back{margin-bottom:.25rem}.shore{margin-top:4rem}
main{min-width:0;padding-top:1rem}
h1{font-size:min(var(--text-2xl),13vw);line-height:1.15;letter-spacing:-.02em;margin-bottom:1rem}
h2{font-size:min(var(--text-xl),10vw);line-height:1.25;letter-spacing:-.012em;margin-bottom:.5rem}
h3{font-size:var(--text-base);line-height:1.4;text-wrap:wrap;overflow-wrap:anywhere}
h4{font-size:var(--text-base);font-weight:600;margin:1.5rem 0 .25rem}
.columns p{max-width:68ch;margin-block:.5rem}
main a,.about code{overflow-wrap:anywhere}
main p a,main td a,main li a,main .type a,.schema .fields a{text-decoration:underline;text-decoration-color:var(--color-edge);text-decoration-thickness:1px;text-underline-offset:.22em}
main a:hover{text-decoration-color:var(--color-dusk)}
code{font-family:var(--font-mono);font-size:.875em}
.type{font-weight:400;font-size:var(--text-sm);color:var(--color-muted)}
.lead{font-size:var(--text-lg);color:var(--color-muted)}#start{display:flex;align-items:center;min-height:2.75rem;margin:0}
.base{max-width:56rem;display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem 1rem;margin-block:1.25rem;padding:.75rem 1rem;border:1px solid var(--color-line);border-radius:var(--radius-md);background:var(--color-raised)}
.base dt{color:var(--color-muted);font-size:var(--text-sm)}
.base dd{overflow-wrap:anywhere}
.links{display:flex;flex-wrap:wrap;gap:0 1.5rem}.links a{display:inline-flex;align-items:center;min-height:2.75rem}
main>section{margin-top:3.5rem}main>.part{margin-top:2.5rem}
.folded{margin-top:1.25rem;border-top:1px solid var(--color-line)}.folded>details{border-bottom:1px solid var(--color-line)}
.folded>details>summary{display:flex;align-items:flex-start;padding-block:.6875rem}.folded>details>summary::before{flex:none;margin-top:.45em}.folded summary:hover{color:var(--color-dusk-ink)}
.unfolded{padding-block:.25rem 2.5rem;scroll-margin-top:6rem}
.operation h3{flex:1;display:grid;gap:.125rem 2rem;min-width:0}.operation h3>span:last-child{font-weight:400;color:var(--color-muted)}
.operation[open] h3>span:last-child{font-weight:600;color:var(--color-ink)}
.route{display:flex;align-items:baseline;gap:.625rem}
.route code{font-size:.9375rem;font-weight:500;overflow-wrap:anywhere}.route i{font-style:normal;color:var(--color-dusk-ink)}
.method{display:inline-block;flex:none;white-space:nowrap;padding:.1em .5em;border-radius:var(--radius-sm);font-family:var(--font-mono);font-size:.75rem;font-weight:600;line-height:1.5;background:var(--color-river-wash);color:var(--color-river-ink)}
.method.post{background:var(--color-dusk-wash);color:var(--color-dusk-ink)}.method.delete{background:var(--color-ember-wash);color:var(--color-ember-ink)}
.who{color:var(--color-muted)}.who b{font-weight:500;color:var(--color-ink)}
.fields>div{padding-block:.5rem;border-top:1px solid var(--color-line)}
.fields>div:first-child{border-top:0}
.fields dt{overflow-wrap:anywhere}.fields .type{margin-inline:.375rem}.fields dt code{font-weight:600}
.fields em{font-style:normal;font-size:var(--text-sm);color:var(--color-dusk-ink)}
.fields dd{color:var(--color-muted);font-size:.9375rem;max-width:62ch}
.responses>li{padding-block:.375rem}
.responses .fields{margin-inline-start:.25rem;padding-inline-start:1rem;border-inline-start:1px solid var(--color-line)}
.status{flex:none;white-space:nowrap;font-family:var(--font-mono);font-size:.875rem}
summary{display:inline-flex;align-items:center;gap:.5rem;min-height:2.75rem;font-weight:500}
summary::before{content:"";width:.45em;height:.45em;border:solid currentColor;border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);transition:transform .15s}
[open]>summary::before{transform:rotate(45deg)}
.problem h3{flex:1;min-width:0;display:flex;align-items:baseline;gap:.75rem}.problem h3 span{min-width:0;display:flex;flex-wrap:wrap;gap:0 .75rem;font-weight:400;color:var(--color-muted)}.problem[open] h3 span{visibility:hidden;height:1lh;overflow:hidden}
.problem .fields{display:grid;gap:0 2rem;padding-block:.25rem 1.5rem}
.refusals li{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}
.refusals li a{display:inline-flex;min-height:1.75rem;align-items:center}
.box{position:relative}:is(h2,h3,h4,p):has(+.box){padding-inline-end:5rem}
pre,#operations{overflow-x:auto;--cover:var(--color-sunken);--more:light-dark(oklch(.22 .02 260/.18),oklch(0 0 0/.6)),transparent;background:linear-gradient(to right,var(--cover) 35%,transparent) 0 0/3rem 100% no-repeat local,linear-gradient(to left,var(--cover) 35%,transparent) 100% 0/3rem 100% no-repeat local,linear-gradient(to right,var(--more)) 0 0/.75rem 100% no-repeat,linear-gradient(to left,var(--more)) 100% 0/.75rem 100% no-repeat,var(--cover)}
pre{padding:.875rem 1rem;border:1px solid var(--color-line);border-radius:var(--radius-md);font-size:var(--text-sm);line-height:1.6}
pre code{font-size:inherit}
.note{color:var(--color-muted)}.text{color:var(--color-river-ink)}.word{color:var(--color-dusk-ink)}
[data-copy]{position:absolute;top:-2.75rem;right:0;display:inline-flex;align-items:center;gap:.5rem;min-height:2.75rem;padding-inline:.75rem;margin-inline-end:-.75rem;font-size:var(--text-sm);font-weight:500;color:var(--color-muted)}
[data-copy]:hover{color:var(--color-ink)}[data-copy] svg{width:1.125em;height:1.125em;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.samples{display:flex;flex-wrap:wrap;gap:0 1.25rem;border:0;padding:0;margin:0;min-width:0}
.samples label{display:inline-flex;align-items:center;min-height:2.75rem;border-bottom:2px solid transparent;font-weight:500;color:var(--color-muted);cursor:pointer}
.samples input{position:absolute;opacity:0;width:1px;height:1px}
.samples .box{display:none;order:1;width:100%;min-width:0}
.samples input:checked+label{color:var(--color-ink);border-color:var(--color-dusk)}
.samples input:checked+label+.box{display:block}
.samples input:focus-visible+label{outline:2px solid var(--color-ink);outline-offset:1px;border-radius:var(--radius-sm)}
.title{display:flex;align-items:center;min-height:2.75rem;margin:.5rem 0 0;gap:.5rem;font-size:var(--text-sm);color:var(--color-muted)}
.example pre{max-height:20rem;overflow-y:auto}
.try{margin-top:.75rem;padding-inline:1rem;border:1px solid var(--color-line);border-radius:var(--radius-md);background:var(--color-raised)}
.try summary{width:100%;font-weight:600}.try summary::before{color:var(--color-dusk-ink)}.try[open]{padding-bottom:1rem}
.try form{display:grid;gap:.75rem}.try .hint{margin:0;color:var(--color-muted);font-size:var(--text-sm)}
.try label span{display:block;margin-bottom:.25rem;font-size:var(--text-sm);font-weight:500}
.try input,.try textarea,.filter input{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--color-edge);border-radius:var(--radius-md);background:var(--color-paper);color:inherit;font:inherit}
.try input,.try textarea{font-family:var(--font-mono);font-size:.875rem}.try textarea{display:block;resize:vertical}
.try ::placeholder,.filter ::placeholder{color:var(--color-muted);opacity:1}
.try .actions{display:flex;flex-wrap:wrap;gap:.75rem;margin:0}
.try button{min-height:2.75rem;padding-inline:1.125rem;border:1px solid var(--color-edge);border-radius:var(--radius-md);font-weight:500;background:transparent}
.try .actions button:first-child{border-color:transparent;background:var(--color-glow);color:var(--color-on-dusk)}
.try .actions button[data-sure]{background:var(--color-ember);color:var(--color-on-ember)}
.try .outcome{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin:.75rem 0;font-size:var(--text-sm)}
.try .outcome:empty{display:none}.try .outcome[data-tone]::before{content:"";width:.5rem;height:.5rem;border-radius:50%;background:var(--color-river-ink)}.try .outcome[data-tone=bad]{color:var(--color-ember-ink)}.try .outcome[data-tone=bad]::before{border-radius:1px;background:currentColor}
.try .result pre{max-height:24rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
[data-unfold]{min-height:2.75rem;margin-top:1rem;padding-inline:1.125rem;border:1px solid var(--color-edge);border-radius:var(--radius-md);font-weight:500}
table{width:100%;border-collapse:collapse;margin-block:.75rem;font-size:.9375rem}
th{font-weight:500;font-size:var(--text-sm);color:var(--color-muted)}
td,th{padding:.5rem 1rem .5rem 0;border-bottom:1px solid var(--color-line);text-align:start;vertical-align:top;overflow-wrap:anywhere}
#operations li a{display:flex;align-items:center;justify-content:space-between;gap:.75rem}
:target{outline:2px solid var(--color-dusk);outline-offset:4px;border-radius:var(--radius-sm)}
h2:target,.unfolded:target{outline:0}h2:target,details:has(>:target)>summary{color:var(--color-dusk-ink)}
#operations{display:flex;gap:0 1.25rem;position:sticky;top:0;z-index:5;margin-inline:-1.25rem;padding-inline:1.25rem;scrollbar-width:none;border-bottom:1px solid var(--color-line);--cover:var(--color-paper)}
#operations p a{color:var(--color-muted)}#operations a:hover,#operations a[aria-current]{color:var(--color-ink)}#operations p a[aria-current]{box-shadow:0 -2px inset var(--color-dusk)}
#operations p{flex:none;margin:0}#operations p a{display:inline-flex;align-items:center;min-width:2.75rem;min-height:2.75rem;font-weight:500}
#operations ul,#operations .filter{display:none}
@media(width<40rem){table,thead,tbody,tr{display:block}thead{position:absolute;clip-path:inset(50%)}tr{padding-block:.5rem;border-bottom:1px solid var(--color-line)}td{display:block;border:0;padding:.125rem 0}}
@media(width>=40rem){td:first-child code{white-space:nowrap}}
@media(width>=40rem){#languages{top:4rem;right:max(1rem,calc((100% - 72rem)/2 + .625rem))}}
@media(width>=48rem){.route .method{min-width:4.25rem;text-align:center}#languages{right:max(1.875rem,calc((100% - 72rem)/2 + 1.875rem))}}
@media(width>=64rem){
.columns{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:3rem}
html{scroll-padding-top:1.25rem}main{padding-top:0}.way-back{margin-bottom:1.5rem}
#operations{display:block;align-self:start;max-height:100dvh;overflow:hidden auto;margin:-1.25rem 0 0 -.75rem;padding:1.25rem .75rem 2rem;border-bottom:0;scrollbar-width:thin;background:none}
#operations::before{content:"";position:sticky;top:-1.25rem;z-index:1;display:block;height:2.5rem;margin:-1.25rem 0;background:linear-gradient(var(--color-paper) 35%,transparent);pointer-events:none}#operations:has(li[hidden])>p:nth-last-child(-n+2){display:none}#operations ul{display:block;list-style:none;padding:0;margin:0 0 .5rem}#operations .filter{display:block;position:relative;z-index:2;margin-bottom:.75rem}.filter ::-webkit-search-cancel-button{appearance:none;width:.75rem;height:.75rem;background:var(--color-muted);clip-path:polygon(0 14%,14% 0,50% 36%,86% 0,100% 14%,64% 50%,100% 86%,86% 100%,50% 64%,14% 100%,0 86%,36% 50%)}
#operations li a{min-height:2.125rem;padding-block:.25rem;font-size:.875rem;line-height:1.3;color:var(--color-muted)}
#operations li a[aria-current]{color:var(--color-ink);font-weight:500}#operations :is(p,li) a[aria-current]{box-shadow:-.5rem 0 var(--color-paper),calc(-.5rem - 2px) 0 var(--color-dusk)}
#operations .method{padding-inline:.35em;font-size:.625rem}
.part{max-width:56rem}
}
@media(width>=80rem){
.operation h3{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}
}
@media print{#operations,.try,[data-unfold]{display:none}.samples .box{display:block}.folded>details::details-content{content-visibility:visible}}
`
