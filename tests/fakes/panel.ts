import { HttpResponse, http } from "msw"
import { Webhook } from "standardwebhooks"

export const PANEL_URL = "https://panel.test/shop/lines"
/** Where the panel's lines are watched. */
export const PANEL_HOST = "https://tv.test/xtream"
/** Where nobody has a line. */
export const EMPTY_HOST = "https://empty.test"

/** 32 bytes, as such secrets are handed out. */
export const PANEL_SECRET = "whsec_cGFuZWwtdGVzdC1zZWNyZXQtb2YtMzItYnl0ZXMtISE="

/** The operator's panel as it behaves on a good day. Tests override one handler to describe a bad one. */
export const panelHandlers = [
  http.post(PANEL_URL, async ({ request }) => {
    const text = await request.text()
    if (!isSigned(request.headers, text)) return new HttpResponse(null, { status: 401 })
    return HttpResponse.json(JSON.parse(text).type === "line.create" ? { host: PANEL_HOST } : {})
  }),
  http.get(`${EMPTY_HOST}/get.php`, () => new HttpResponse(null, { status: 404 })),
  http.get(`${PANEL_HOST}/get.php`, ({ request }) => {
    const { username, password, type } = Object.fromEntries(new URL(request.url).searchParams)
    // So it is with real ones: whom they do not know they answer with nothing.
    if (!username || !password || type !== "m3u_plus") return new HttpResponse("")
    const [user, secret] = [username, password].map(encodeURIComponent)
    return new HttpResponse(
      `#EXTM3U\n#EXTINF:-1 tvg-id="one" group-title="News",News One\n${PANEL_HOST}/live/${user}/${secret}/1.ts\n`,
      { headers: { "content-type": "audio/x-mpegurl" } },
    )
  }),
]

/** By hand, because the library's `verify` reads the clock of the machine. */
function isSigned(headers: Headers, text: string): boolean {
  const id = headers.get("webhook-id") ?? ""
  const at = new Date(Number(headers.get("webhook-timestamp")) * 1_000)
  return headers.get("webhook-signature") === new Webhook(PANEL_SECRET).sign(id, at, text)
}
