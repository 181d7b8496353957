import type { TestServer } from "../../support/server/server-process"
import { type Encoding, encodings, type Path, paths, requestHeaders } from "./capture-pages"
import { load, loadOneByOne } from "./load-generator"
import { atReview, place, type Review } from "./order-load"
import { purchase } from "./purchase"
import type { References } from "./reference-servers"
import { again, type Statistics } from "./statistics"

/** The order-status response, which open pages poll. */
export const STATUS = "/checkout/api/order-status"
/** Subjects of a measurement: a response, an order from the review step to its 303, or a whole purchase. */
export const subjects = [...paths, STATUS, "order", "purchase"] as const
export type Subject = (typeof subjects)[number]
export const contestants = [
  "shop",
  "shop, known visitor",
  "node:http",
  "node:http and the gateway",
  "renderToString",
  "renderToString, our forms",
  "React Router",
] as const
export type Contestant = (typeof contestants)[number]

export type Reading = { subject: Subject; encoding: Encoding; who: Contestant; figures: Statistics }

/** `seller`: takes the orders. Its gateway is a process of its own, as a real one is. */
export type Stage = {
  shop: TestServer
  seller: TestServer
  cookie: string
  known: string
  references: References
}
/** `throughput`, `latency`: seconds. `orders`: how many are placed. */
export type Lengths = { rounds: number; throughput: number; latency: number; orders: number }

const CONNECTIONS = 10
const BUYERS = 4

/** Measures the subjects sequentially; called again for each round. */
export async function readRound(stage: Stage, lengths: Lengths): Promise<Reading[]> {
  const readings: Reading[] = []
  for (const path of paths) {
    const { figures } = await stage.references.render({ path, seconds: lengths.throughput })
    const own = await stage.references.renderOwn({ path, seconds: lengths.throughput })
    for (const encoding of encodings) {
      readings.push({ subject: path, encoding, who: "renderToString", figures })
      readings.push({ subject: path, encoding, who: "renderToString, our forms", figures: own.figures })
      readings.push(...(await readServers(stage, { path, encoding }, lengths)))
    }
  }
  readings.push(await readStatus(stage, lengths), ...(await readOrders(stage, lengths)))
  for (const encoding of encodings) readings.push(await readPurchases(stage, encoding, lengths))
  return readings
}

type Page = { path: Path; encoding: Encoding }

async function readServers({ shop, cookie, known, references }: Stage, page: Page, lengths: Lengths) {
  const ours = { origin: shop.url, pid: shop.pid() }
  const servers = [
    ["shop", ours],
    ["shop, known visitor", page.path === "/checkout/" ? ours : null],
    ["React Router", references.reactRouter],
    ["node:http", references.sameBytes],
  ] as const
  const readings: Reading[] = []
  for (const [who, server] of servers) {
    if (server === null) continue
    const headers = {
      ...requestHeaders(page.path, page.encoding, cookie),
      ...(who === "shop, known visitor" && { cookie: known }),
    }
    const query = { ...server, path: page.path, headers }
    const many = await load({ ...query, seconds: lengths.throughput, connections: CONNECTIONS })
    const { p50, p99 } = await loadOneByOne({ ...query, seconds: lengths.latency })
    readings.push({ subject: page.path, encoding: page.encoding, who, figures: { ...many, p50, p99 } })
  }
  return readings
}

async function readStatus({ shop, cookie }: Stage, lengths: Lengths): Promise<Reading> {
  const query = { origin: shop.url, pid: shop.pid(), path: STATUS, headers: { cookie } }
  const many = await load({ ...query, seconds: lengths.throughput, connections: CONNECTIONS })
  const { p50, p99 } = await loadOneByOne({ ...query, seconds: lengths.latency })
  return { subject: STATUS, encoding: "", who: "shop", figures: { ...many, p50, p99 } }
}

/** Submits the same forms to shop and reference; the way to the review step is not measured. */
async function readOrders({ seller, references }: Stage, { orders }: Lengths): Promise<Reading[]> {
  const reviews: Review[] = []
  for (let nth = 0; nth < orders; nth++) reviews.push(await atReview(seller))
  const reading = { subject: "order", encoding: "" } as const
  return [
    { ...reading, who: "shop", figures: await place(seller.url, reviews, BUYERS) },
    { ...reading, who: "node:http", figures: await place(references.orders, reviews, BUYERS) },
    {
      ...reading,
      who: "node:http and the gateway",
      figures: await place(references.ordersWithGateway, reviews, BUYERS),
    },
  ]
}

async function readPurchases({ shop }: Stage, encoding: Encoding, lengths: Lengths): Promise<Reading> {
  // The client would request compression by default.
  const buy = () => purchase(shop, { "accept-encoding": encoding || "identity" })
  const many = await again(buy, lengths.throughput, BUYERS)
  const { p50, p99 } = await again(buy, lengths.latency, 1)
  return { subject: "purchase", encoding, who: "shop", figures: { ...many, p50, p99 } }
}
