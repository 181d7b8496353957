import { HttpResponse, http } from "msw"
import { Webhook } from "standardwebhooks"
import { panelLines } from "./panel-lines"

export const PANEL_URL = "https://panel.test/shop/lines"
/** Streaming host of the panel's lines. */
export const PANEL_HOST = "https://tv.test/xtream"
/** Streaming host without lines. */
export const EMPTY_HOST = "https://empty.test"

/** A webhook secret of 32 bytes. */
export const PANEL_SECRET = "whsec_cGFuZWwtdGVzdC1zZWNyZXQtb2YtMzItYnl0ZXMtISE="

/** A fault-free operator's panel without lines. Tests override one handler to simulate a failure. */
export function panelHandlers() {
  const panel = panelLines(PANEL_HOST)
  return [
    http.post(PANEL_URL, async ({ request }) => {
      const text = await request.text()
      if (!isSigned(request.headers, text)) return new HttpResponse(null, { status: 401 })
      const { status, body } = panel.receive(request.headers.get("webhook-id") ?? "", text)
      return HttpResponse.json(body, { status })
    }),
    http.get(`${EMPTY_HOST}/get.php`, () => new HttpResponse(null, { status: 404 })),
    http.get(`${PANEL_HOST}/get.php`, ({ request }) => {
      const asked = new URL(request.url).searchParams
      const line = panel.streaming(asked.get("username"), asked.get("password"))
      // Real panels respond with an empty body to unknown credentials and to those of a suspended line.
      if (!line || asked.get("type") !== "m3u_plus") return new HttpResponse("")
      const [user, secret] = [line.username, line.password].map(encodeURIComponent)
      return new HttpResponse(
        `#EXTM3U\n#EXTINF:-1 tvg-id="one" group-title="News",News One\n${PANEL_HOST}/live/${user}/${secret}/1.ts\n`,
        { headers: { "content-type": "audio/x-mpegurl" } },
      )
    }),
  ]
}

/** Verified by hand, because the library's `verify` reads the machine's clock. */
function isSigned(headers: Headers, text: string): boolean {
  const id = headers.get("webhook-id") ?? ""
  const at = new Date(Number(headers.get("webhook-timestamp")) * 1_000)
  return headers.get("webhook-signature") === new Webhook(PANEL_SECRET).sign(id, at, text)
}
