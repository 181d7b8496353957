import { HttpResponse, http } from "msw"
import { Webhook } from "standardwebhooks"

export const PANEL_URL = "https://panel.test/shop/lines"
/** Streaming host of the panel's lines. */
export const PANEL_HOST = "https://tv.test/xtream"
/** Streaming host without lines. */
export const EMPTY_HOST = "https://empty.test"

/** A webhook secret of 32 bytes. */
export const PANEL_SECRET = "whsec_cGFuZWwtdGVzdC1zZWNyZXQtb2YtMzItYnl0ZXMtISE="

/** A fault-free operator's panel. Tests override one handler to simulate a failure. */
export const panelHandlers = [
  http.post(PANEL_URL, async ({ request }) => {
    const text = await request.text()
    if (!isSigned(request.headers, text)) return new HttpResponse(null, { status: 401 })
    return HttpResponse.json(JSON.parse(text).type === "line.create" ? { host: PANEL_HOST } : {})
  }),
  http.get(`${EMPTY_HOST}/get.php`, () => new HttpResponse(null, { status: 404 })),
  http.get(`${PANEL_HOST}/get.php`, ({ request }) => {
    const { username, password, type } = Object.fromEntries(new URL(request.url).searchParams)
    // Real panels respond to unknown credentials with an empty body.
    if (!username || !password || type !== "m3u_plus") return new HttpResponse("")
    const [user, secret] = [username, password].map(encodeURIComponent)
    return new HttpResponse(
      `#EXTM3U\n#EXTINF:-1 tvg-id="one" group-title="News",News One\n${PANEL_HOST}/live/${user}/${secret}/1.ts\n`,
      { headers: { "content-type": "audio/x-mpegurl" } },
    )
  }),
]

/** Verified by hand, because the library's `verify` reads the machine's clock. */
function isSigned(headers: Headers, text: string): boolean {
  const id = headers.get("webhook-id") ?? ""
  const at = new Date(Number(headers.get("webhook-timestamp")) * 1_000)
  return headers.get("webhook-signature") === new Webhook(PANEL_SECRET).sign(id, at, text)
}
