/** Shades of a matrix, from none to the darkest on which text is still read easily. */
const SHADES = 10;
const DARKEST = 0.6;

/** The shade of a share, as the number in its class name. */
export function shadeOf(share: number): number {
  return Math.round(share * SHADES);
}

const shades = ['hit', 'miss', 'aside']
  .flatMap((kind) =>
    Array.from(
      { length: SHADES },
      (_, i) =>
        `.${kind}-${i + 1}{background:rgba(var(--${kind}),${((DARKEST * (i + 1)) / SHADES).toFixed(2)})}`,
    ),
  )
  .join('\n');

/** One style sheet for screen, dark screen, telephone and paper. Paper is always light: the dark colours are for screens only. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--panel:#f6f8fa;--text:#1b2430;--muted:#566273;--faint:#d5dae1;--shade:#e9edf2;
--accent:#0b5cad;--good:#0a6b4c;--bad:#b3261e;--caution:#8a5200;--caution-ground:#fff6e5;
--hit:0,114,178;--miss:213,94,0;--aside:95,107,122;
--series-1:#0072b2;--series-2:#d55e00;--series-3:#009e73;--series-4:#cc79a7;--series-5:#e69f00;--series-6:#56b4e9}
@media screen and (prefers-color-scheme:dark){:root{--ground:#14181d;--panel:#1c2229;--text:#e6eaef;--muted:#a5b0be;--faint:#3a434e;
--shade:#272e37;--accent:#7cb8f2;--good:#5cc9a0;--bad:#ff9a8f;--caution:#f0b95c;--caution-ground:#2b2416;
--hit:60,130,180;--miss:200,100,30;--aside:120,132,148;
--series-1:#56b4e9;--series-2:#f07f3c;--series-3:#2cc295;--series-4:#dd94bb;--series-5:#e69f00;--series-6:#4a94d0}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
.page{max-width:1100px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:1.75rem;line-height:1.2;margin:0 0 4px}
h2{font-size:1.25rem;line-height:1.3;margin:0 0 12px;padding-top:20px;border-top:1px solid var(--faint)}
h3{font-size:1rem;margin:24px 0 8px}
p{margin:0 0 12px;max-width:75ch}
a{color:var(--accent)}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
code{unicode-bidi:isolate}
section{margin-top:36px}
.muted{color:var(--muted)}
.small{font-size:.875rem}
.lead{font-size:1.0625rem}
.badges{display:flex;flex-wrap:wrap;gap:6px;margin:10px 0 0;padding:0;list-style:none}
.badge{display:inline-block;border:1px solid currentColor;border-radius:999px;padding:0 10px;font-size:.8125rem;font-weight:600;line-height:1.6}
.badge.caution{color:var(--caution)}.badge.bad{color:var(--bad)}.badge.good{color:var(--good)}.badge.plain{color:var(--muted)}
nav{margin:20px 0 0;font-size:.875rem}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;margin:0;padding:0;list-style:none}
.facts{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:12px 24px;margin:18px 0 0}
.facts dt{color:var(--muted);font-size:.8125rem}
.facts dd{margin:0}
.first{background:var(--caution-ground);border-left:4px solid var(--caution);border-radius:4px;padding:14px 18px}
.first h2{border:0;padding:0;margin:0 0 6px;font-size:1rem}
.first ul{margin:0;padding-left:20px}
.first li{margin:4px 0;max-width:85ch}
.cards{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:14px;margin:0 0 18px}
.card{background:var(--panel);border:1px solid var(--faint);border-radius:8px;padding:14px 16px}
.card h3{margin:0;font-size:.9375rem;font-weight:600}
.card .value{font-size:2rem;line-height:1.25;font-weight:650;font-variant-numeric:tabular-nums}
.card p{margin:0;font-size:.875rem;color:var(--muted);font-variant-numeric:tabular-nums}
.card .tag{color:var(--accent);font-weight:600}
.charts{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:24px 32px;align-items:start}
figure{margin:0;min-width:0}
.stack>figure+figure{margin-top:28px}
.side{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:8px 32px;align-items:start}
.keep{white-space:nowrap}
figcaption{font-size:.875rem;color:var(--muted);margin-top:6px;max-width:75ch}
.krisis-chart{display:block;width:100%;height:auto;max-width:460px;overflow:visible;font-variant-numeric:tabular-nums}
.bar .krisis-chart{max-width:none;height:36px}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;margin:10px 0 0;padding:0;list-style:none;font-size:.9375rem;font-variant-numeric:tabular-nums}
.legend svg{width:.8em;height:.8em;margin-right:6px}
details{margin-top:8px}
summary{cursor:pointer;color:var(--accent);font-size:.875rem}
.scroll{overflow-x:auto;max-width:100%}
.scroll+p{margin-top:10px}
.scroll:focus-visible,a:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;overflow-wrap:normal}
table.wide{width:100%}
.checklist th:first-child{width:27%}.checklist th:last-child{width:28%}
caption{text-align:left;font-weight:600;padding:0 0 6px}
th,td{padding:5px 10px;border-bottom:1px solid var(--faint);text-align:left;vertical-align:top}
thead th{color:var(--muted);font-weight:600;white-space:nowrap}
th.number,td.number{text-align:right;white-space:nowrap}
tbody th{font-weight:500}
.named tbody th{width:15em}
.group th{padding-top:18px;font-weight:700;font-size:.9375rem}
td.text{min-width:14em;overflow-wrap:anywhere}
.matrix td{text-align:center;min-width:74px;border:1px solid var(--faint)}
.matrix td span{display:block;font-size:.8125rem}
.matrix td.right{font-weight:700;box-shadow:inset 0 0 0 1px var(--text)}
.matrix .apart{border-left:3px solid var(--text)}
.matrix th{overflow-wrap:break-word;max-width:12em}th code{overflow-wrap:anywhere}.matrix thead th{text-align:center;white-space:normal;min-width:74px}
.beside{display:grid;grid-template-columns:minmax(0,auto) minmax(0,1fr);gap:24px 40px;align-items:start}
pre{white-space:pre-wrap;background:var(--panel);border:1px solid var(--faint);border-radius:6px;padding:12px 14px;margin:6px 0 14px}
.status{font-weight:700;white-space:nowrap}.status.pass{color:var(--good)}.status.fail{color:var(--bad)}.status.undecided{color:var(--caution)}
footer{margin-top:48px;padding-top:12px;border-top:1px solid var(--faint);font-size:.875rem;color:var(--muted)}
${shades}
.answer{white-space:pre-wrap;background:var(--panel);border:1px solid var(--faint);border-radius:6px;padding:12px 14px;margin:6px 0 14px;overflow-wrap:anywhere}
.answer mark{color:inherit;border-radius:2px;padding:1px 0}
mark.for{background:rgba(var(--hit),.18);border-bottom:2px solid rgb(var(--hit))}
mark.against{background:rgba(var(--miss),.2);border-bottom:2px dashed rgb(var(--miss))}
mark.open{background:rgba(var(--aside),.18);border-bottom:2px dotted rgb(var(--aside))}
mark.several{outline:1px solid var(--muted)}
.label{font-size:.75em;font-weight:600;color:var(--muted);margin:0 2px;white-space:nowrap}
.evidence{border-top:1px solid var(--faint);padding:8px 0}
.evidence summary{font-size:.9375rem}
q{quotes:"“" "”"}
@media screen and (max-width:760px){.page{padding:20px 16px 48px}h1{font-size:1.375rem}.charts,.beside,.side{grid-template-columns:minmax(0,1fr)}
tbody th,thead th:first-child{position:sticky;left:0;background:var(--ground);max-width:10em}
table:not(.matrix) tbody th{min-width:9em}
.cards{grid-template-columns:repeat(2,minmax(0,1fr));gap:10px}.card{padding:10px 12px}.card .value{font-size:1.5rem}.card p{font-size:.8125rem}
.facts{grid-template-columns:repeat(2,minmax(0,1fr));gap:10px 16px}.first{padding:12px 14px}}
@media print{html{font-size:9.5pt}body{font-size:1rem}.page{max-width:none;padding:0}nav{display:none}.scroll{overflow:visible}
section{margin-top:14pt}h2,h3,caption,thead,.group{break-after:avoid}figure,.card,tr,.matrix,.beside,.first,dl>div{break-inside:avoid}
.krisis-chart{max-width:100%}.cards{grid-template-columns:repeat(3,minmax(0,1fr))}.charts{grid-template-columns:repeat(2,minmax(0,1fr))}
table{font-size:7.5pt}th,td{padding:2pt 5pt}td.text{min-width:0}a{color:inherit;text-decoration:none}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
figure details{display:none}details::details-content{content-visibility:visible;block-size:auto;opacity:1}
@page{size:A4;margin:16mm 14mm}}
`.trim();
