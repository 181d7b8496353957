/** A page that is not looked at is never painted; so long until script runs all the same, in milliseconds. */
const UNSEEN = 2_000

/**
 * Runs in the browser once something has been painted: turns what `scriptAfterPaint` has put aside into what it was. A
 * script that is put into a document again keeps the nonce it came with.
 */
const wake = `{let woken=false
const wake=()=>{if(woken)return
woken=true
for(const link of document.querySelectorAll("link[rel=later]"))link.rel="modulepreload"
const kept=document.querySelector("script[type=later]")
const script=document.createElement("script")
script.type="module";script.nonce=kept.nonce;script.textContent=kept.textContent
kept.replaceWith(script)}
new PerformanceObserver(wake).observe({type:"paint",buffered:true})
setTimeout(wake,${UNSEEN})}`

/**
 * Keeps a page's script from its first paint: everything can be read and pressed before script runs, and on a slow
 * line script would share it with the letters. React Router has no setting for that, so its tags are put aside as
 * text and come back as they were. A page without script is left as it is.
 */
export function scriptAfterPaint(html: string, nonce: string | undefined): string {
  const aside = html.replace(' type="module" async=""', ' type="later"')
  if (aside === html) return html
  return aside
    .replaceAll('<link rel="modulepreload"', '<link rel="later"')
    .replace("</body>", `<script nonce="${nonce ?? ""}">${wake}</script></body>`)
}
