import { UNSAFE_decodeViaTurboStream as decode } from "react-router"
import { request } from "undici"

export const paths = ["/checkout/", "/checkout/waiting"] as const
export type Path = (typeof paths)[number]

/** The two `Accept-Encoding` values: none, and that of browsers. */
export const encodings = ["", "gzip, br"] as const
export type Encoding = (typeof encodings)[number]

/** A response of the shop as sent; the body in base64. */
export type Sent = { headers: Record<string, string | string[]>; body: string }

/** A page of the shop with everything that the references need to reproduce it. */
export type CapturedPage = {
  html: string
  sent: Record<Encoding, Sent>
  /** Loader data by route. */
  data: Record<string, unknown>
}

export type Capture = Record<Path, CapturedPage>

/** Returns the headers of a browser; the cookie only if the page needs an order. */
export function requestHeaders(path: Path, encoding: Encoding, cookie: string): Record<string, string> {
  return {
    accept: "text/html,application/xhtml+xml,*/*;q=0.8",
    "user-agent":
      "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    ...(encoding && { "accept-encoding": encoding }),
    ...(path === "/checkout/waiting" && { cookie }),
  }
}

/** Fetches the shop's pages and their loader data. */
export async function capture(origin: string, cookie: string): Promise<Capture> {
  const pages = await Promise.all(paths.map((path) => capturePage(origin, path, cookie)))
  const [checkout, waiting] = pages
  if (!checkout || !waiting) throw new Error("A page is missing")
  return { "/checkout/": checkout, "/checkout/waiting": waiting }
}

async function capturePage(origin: string, path: Path, cookie: string): Promise<CapturedPage> {
  const plain = await fetchPage(origin + path, requestHeaders(path, "", cookie))
  const compressed = await fetchPage(origin + path, requestHeaders(path, "gzip, br", cookie))
  return {
    html: plain.body.toString("utf8"),
    sent: { "": sent(plain), "gzip, br": sent(compressed) },
    data: await loaderData(origin, path, cookie),
  }
}

type CapturedResponse = { headers: Record<string, string | string[] | undefined>; body: Buffer }

async function fetchPage(url: string, headers: Record<string, string>): Promise<CapturedResponse> {
  const response = await request(url, { headers })
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  return { headers: response.headers, body: Buffer.from(await response.body.arrayBuffer()) }
}

const OF_THE_CONNECTION = ["connection", "keep-alive", "date", "content-length"]

function sent({ headers, body }: CapturedResponse): Sent {
  const cached = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || OF_THE_CONNECTION.includes(name) ? [] : [[name, value] as const],
  )
  return { headers: Object.fromEntries(cached), body: body.toString("base64") }
}

/** Returns the data that React Router's client would receive for this page. */
async function loaderData(origin: string, path: Path, cookie: string): Promise<Record<string, unknown>> {
  const name = path === "/checkout/" ? "/checkout/_root.data" : `${path}.data`
  const { body } = await fetchPage(origin + name, requestHeaders(path, "", cookie))
  const { value } = await decode(new Blob([new Uint8Array(body)]).stream(), globalThis)
  const routes = value as Record<string, { data: unknown }>
  return Object.fromEntries(Object.entries(routes).map(([route, { data }]) => [route, data]))
}
