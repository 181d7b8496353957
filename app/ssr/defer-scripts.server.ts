import { fontFaces, loadFontsScript } from "~/ui/style/fonts.server"

/** A page that is not looked at is never painted; so long until script runs all the same, in milliseconds. */
const UNSEEN = 2_000

/**
 * Runs in the browser once words have been painted: turns what `scriptAfterPaint` has put aside into what it was. A
 * script that is put into a document again keeps the nonce it came with. `before`: what has the line to itself until
 * then, the script of a function.
 */
const wakeAfter = (before: string) => `{let woken=false
const wake=()=>{if(woken)return
woken=true
for(const link of document.querySelectorAll("link[rel=later]"))link.rel="modulepreload"
const kept=document.querySelector("script[type=later]")
const script=document.createElement("script")
script.type="module";script.nonce=kept.nonce;script.textContent=kept.textContent
kept.replaceWith(script)}
const before=${before}
let begun
const begin=()=>begun??=before().then(wake)
new PerformanceObserver(it=>it.getEntriesByName("first-contentful-paint").length&&begin()).observe({type:"paint",buffered:true})
setTimeout(()=>{begin();wake()},${UNSEEN})}`

const wake = wakeAfter("async()=>{}")
const wakeAfterLetters = wakeAfter(loadFontsScript)

type How = {
  nonce: string | undefined
  /** The page comes without letters of its own, and fetches them. */
  loadsFonts: boolean
}

/**
 * Keeps a page's script from its first paint: everything can be read and pressed before script runs, and on a slow
 * line script would share it with the letters. Letters that have to be fetched wait for the paint too: a browser that
 * is told of them before holds the paint back for them, which made a phone's a seventh of a second later. React Router
 * has no setting for that, so its tags are put aside as text and come back as they were. A page without script is left
 * as it is.
 */
export function deferScripts(html: string, { nonce = "", loadsFonts }: How): string {
  const aside = html.replace(' type="module" async=""', ' type="later"')
  if (aside === html) return html
  const later = aside.replaceAll('<link rel="modulepreload"', '<link rel="later"')
  const inBody = `<script nonce="${nonce}">${loadsFonts ? wakeAfterLetters : wake}</script></body>`
  if (!loadsFonts) return later.replace("</body>", inBody)
  const inHead = `<noscript><style nonce="${nonce}">${fontFaces}</style></noscript></head>`
  return later.replace("</head>", inHead).replace("</body>", inBody)
}
