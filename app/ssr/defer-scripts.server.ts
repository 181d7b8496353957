import { AT_MOST_EVERY_MS, LAST } from "~/client/chunk-reload"
import { fontFaces, loadFontsScript } from "~/ui/style/fonts.server"

/** A page in a background tab is never painted: its script runs after this time, in milliseconds. */
const MAX_PAINT_WAIT = 2_000

/**
 * `reloadOnce` of `client/chunk-reload` for the page's own scripts, which it would be one of: without them the waiting page neither
 * polls nor reloads. Never once the visitor has pressed or typed, since a form or a press would be lost, and not on a refused form, whose
 * reload would send it again.
 */
const reloadOnce = `()=>{try{const now=Date.now()
if(!navigator.onLine||navigator.userActivation?.hasBeenActive||document.activeElement?.matches("input,textarea")||now-Number(sessionStorage.getItem("${LAST}"))<${AT_MOST_EVERY_MS}||performance.getEntriesByType("navigation")[0]?.responseStatus>=400)return
sessionStorage.setItem("${LAST}",String(now))
location.reload()}catch{}}`

/**
 * Script that runs in the browser after the first contentful paint and restores the tags that `deferScripts` disabled.
 * The new script element gets the nonce of the old one. `before`: source of an async function that runs first, with the
 * network to itself.
 */
const wakeAfter = (before: string, laterStyle: string | null) => `{let woken=false
const wake=()=>{if(woken)return
woken=true
for(const link of document.querySelectorAll("link[rel=later]"))link.rel="modulepreload"
const kept=document.querySelector("script[type=later]")
const script=document.createElement("script")
script.type="module";script.nonce=kept.nonce;script.textContent=kept.textContent
const reloadOnce=${reloadOnce}
script.onerror=reloadOnce
addEventListener("unhandledrejection",({reason})=>/module/i.test(reason?.message)&&reloadOnce())
kept.replaceWith(script)}
const before=${before}
let begun=false
const begin=()=>{if(begun)return
begun=true
${laterStyle === null ? "" : appendStyle(laterStyle)}
before().then(wake)}
new PerformanceObserver(it=>it.getEntriesByName("first-contentful-paint").length&&begin()).observe({type:"paint",buffered:true})
setTimeout(()=>{begin();wake()},${MAX_PAINT_WAIT})}`

/** Milliseconds until a style sheet that could not be loaded is asked for again; each further time after twice as long. */
const ASKS_AGAIN_AFTER = 3_000

/**
 * Asks until the style is there: the next screen may come without a new document, and would stay without most of its style. Ever more
 * rarely, so that pages left open do not load a server that refuses.
 */
const appendStyle = (href: string) =>
  `let pause=${ASKS_AGAIN_AFTER}
const style=()=>document.head.append(Object.assign(document.createElement("link"),{rel:"stylesheet",href:${JSON.stringify(href)},onerror(){this.remove();setTimeout(style,pause);pause*=2}}))
style()`

/** Nobody who reads without script is left without a rule that the first style of a page should have had. */
function styleWithoutScript(href: string | null): string {
  return href === null ? "" : `<noscript><link rel="stylesheet" href="${href}"/></noscript>`
}

/** As React Router writes its script tag. */
const MODULE = ' type="module" async=""'

/** A link to a module, of React Router's or of the document's head. */
const moduleLink = /<link rel="modulepreload"[^>]*>/g

type How = {
  nonce: string | undefined
  /** The page has no inlined fonts and loads them. */
  loadsFonts: boolean
  /** Address of a style sheet that only later screens need; null if the page has all. */
  laterStyle: string | null
}

/**
 * Defers a page's scripts, web fonts and the style of later screens until its first paint. The page works before script runs,
 * and on a slow network scripts would share the bandwidth with the fonts. A browser that knows of the fonts earlier delays the
 * paint for them, by a seventh of a second on a phone. The links to the modules, which are of no use before, come after what is
 * visible: a page may be larger than what a server sends at first. React Router has no setting for it, so its tags are disabled
 * as text and restored unchanged. A page without script is returned unchanged.
 */
export function deferScripts(html: string, { nonce = "", loadsFonts, laterStyle }: How): string {
  const [headEnd, script, bodyEnd] = [
    html.indexOf("</head>"),
    html.lastIndexOf(MODULE),
    html.lastIndexOf("</body>"),
  ]
  if (script < 0) return html
  const wake = wakeAfter(loadsFonts ? loadFontsScript : "async()=>{}", laterStyle)
  // Only the head has links to modules: a search of the whole page would read 60 kB more.
  const head = html.slice(0, headEnd)
  const links = head.match(moduleLink) ?? []
  const later = links.map((link) => link.replace("modulepreload", "later")).join("")
  const fonts = loadsFonts ? `<noscript><style nonce="${nonce}">${fontFaces}</style></noscript>` : ""
  const body = `${html.slice(headEnd, script)} type="later"${html.slice(script + MODULE.length, bodyEnd)}`
  return `${head.replace(moduleLink, "")}${fonts}${body}${styleWithoutScript(laterStyle)}${later}<script nonce="${nonce}">${wake}</script>${html.slice(bodyEnd)}`
}
