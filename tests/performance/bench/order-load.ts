import { type Dispatcher, Pool } from "undici"
import { chooseAndPay } from "../../fixtures/no-script-purchase"
import { Browser } from "../../support/browser/no-script-browser"
import type { Submission } from "../../support/html/html-form"
import { HtmlPage } from "../../support/html/html-page"
import { figures, type Statistics } from "./statistics"

/** A review step that is ready to submit. */
export type Review = {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

let buyers = 0

/** Takes a new buyer to the review step, from a client address of its own, so that no rate limit applies. */
export async function atReview(shop: { readonly url: string }): Promise<Review> {
  const nth = ++buyers
  const own = { "x-forwarded-for": `10.7.${(nth >> 8) & 255}.${nth & 255}` }
  const browser = new Browser(own)
  const review = await chooseAndPay(browser, { shop, email: `buyer-${nth}@example.test` })
  const { entries, action } = submissionOf(review)
  return {
    path: new URL(action || review.url, review.url).pathname,
    headers: {
      ...own,
      origin: review.url.origin,
      cookie: browser.cookies(review.url) ?? "",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams(entries).toString(),
  }
}

/** Returns the form data that the button submits. */
function submissionOf(review: HtmlPage): Submission {
  const sent: Submission[] = []
  const keep = {
    visit: () => Promise.reject(new Error("The review step leads elsewhere")),
    send: async (submission: Submission) => {
      sent.push(submission)
      return review
    },
  }
  void new HtmlPage(keep, review).submit({ having: "draft" })
  const [submission] = sent
  if (!submission) throw new Error("The review step sends nothing")
  return submission
}

/** Submits prepared orders with the given concurrency; each response must be a 303. */
export async function place(
  origin: string,
  reviews: readonly Review[],
  atATime: number,
): Promise<Statistics> {
  const pool = new Pool(origin, { connections: atATime, pipelining: 1 })
  const times: number[] = []
  const left = reviews.values()
  const lane = async () => {
    for (const review of left) {
      const started = performance.now()
      await send(pool, review)
      times.push(performance.now() - started)
    }
  }
  const started = performance.now()
  try {
    await Promise.all(Array.from({ length: atATime }, lane))
    return figures(times, (performance.now() - started) / 1_000)
  } finally {
    await pool.close()
  }
}

async function send(pool: Dispatcher, review: Review): Promise<void> {
  const { statusCode, body } = await pool.request({ ...review, method: "POST" })
  const text = await body.text()
  if (statusCode !== 303) throw new Error(`An order was answered by ${statusCode}: ${text.slice(0, 200)}`)
}
