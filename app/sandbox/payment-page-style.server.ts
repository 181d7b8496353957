import { createHash } from "node:crypto"

/**
 * Style sheet with the shop's design tokens, but another header and system fonts: it imitates another company's page.
 */
export const payStyle = `
:root{color-scheme:light dark;--ground:#f4f6fb;--card:#fff;--ink:#151b2e;--second:#566078;--line:#e1e6f0;
--edge:#7d879f;--brand:#405db1;--on:#fff;--wash:#eef1fb;--good:#17794a;--good-on:#e6f5ed;--warn:#8a5a00;
--warn-on:#fff4dc;--head:#151b2e;--head-ink:#eef1fa}
@media(prefers-color-scheme:dark){:root{--ground:#0e1324;--card:#161d33;--ink:#eef1fa;--second:#a3adc6;
--line:#2a3350;--edge:#6d7a9e;--brand:#8ea6f0;--on:#0d1326;--wash:#1d2642;--good:#6fd6a1;--good-on:#12301f;
--warn:#f3c469;--warn-on:#33270c;--head:#070a15}}
*{box-sizing:border-box;margin:0}
body{background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header{background:var(--head);color:var(--head-ink)}
header .name{max-width:512px;margin:auto;padding:16px;display:flex;gap:12px;align-items:center;font-weight:700}
header svg{flex:none}
.test{background:var(--warn-on);color:var(--warn);text-align:center;padding:8px 16px;font-size:14px}
main{max-width:512px;margin:auto;padding:16px}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:20px 16px;margin-bottom:16px}
h1{font-size:32px;line-height:1.2;font-weight:800;font-variant-numeric:tabular-nums}
h1.words{font-size:24px;margin-bottom:8px}
h2{font-size:17px;margin-bottom:12px}
.note,dt,.over{color:var(--second);font-size:14px}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 16px;margin:16px 0;padding-top:16px;border-top:1px solid var(--line)}
dd{text-align:right}
.said{border-radius:10px;padding:12px 16px;margin-bottom:16px;background:var(--wash)}
.said.good{background:var(--good-on);color:var(--good)}
.said.warn{background:var(--warn-on);color:var(--warn)}
button,.button{display:block;width:100%;min-height:48px;padding:12px 16px;border-radius:10px;font:inherit;
font-weight:700;text-align:center;text-decoration:none;cursor:pointer;background:transparent;color:var(--brand);
border:1px solid var(--edge)}
button:hover,.button:hover{background:var(--wash)}
.main{min-height:56px;background:var(--brand);color:var(--on);border-color:var(--brand);font-size:18px}
.main:hover{background:var(--brand);filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--brand);outline-offset:3px}
ul{list-style:none;padding:0;display:grid;gap:16px}
li .note{margin-top:4px}
a{color:var(--brand)}
.mails a{display:block;min-height:44px;padding:10px 0;font-weight:700}
.mails .note{margin-top:-8px}
.parts{display:flex;gap:16px}
.parts a{padding:10px 0}
iframe.mail{display:block;width:100%;height:560px;border:1px solid var(--line);border-radius:14px;margin-bottom:16px;background:var(--card)}
label{display:block;font-weight:700}
input{width:100%;min-height:48px;margin:4px 0 16px;padding:10px 12px;border:1px solid var(--edge);border-radius:10px;background:var(--card);color:var(--ink);font:inherit}
pre{font:14px/1.5 ui-monospace,monospace;white-space:pre-wrap}
@media(min-width:700px){main{padding:32px 16px}.card{padding:24px}}
`

/** CSP source expression that allows this inline style sheet only. */
export const payStyleHash = `'sha256-${createHash("sha256").update(payStyle).digest("base64")}'`
