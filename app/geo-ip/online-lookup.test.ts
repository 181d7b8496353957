import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { MINUTE, SECOND } from "~/domain/calendar"
import { ipAddress } from "~/http/ip-address.server"
import { interceptUpstreams } from "../../tests/fakes/server"
import { onlineCountry } from "./online-lookup.server"

const server = interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const URL_HERE = "https://geo.test/json/{ip}?fields=status,countryCode"

test.each(["8.8.8.8", "2606:4700::1111"])(
  "the country of %s is fetched from the service",
  async (address) => {
    const { ask: request, requests } = service(() =>
      HttpResponse.json({ status: "success", countryCode: "ES" }),
    )
    expect(await request(address)).toBe("ES")
    expect(requests).toEqual([`https://geo.test/json/${address}?fields=status,countryCode`])
  },
)

test.each([
  ["a failure with status 200", () => HttpResponse.json({ status: "fail", message: "reserved range" })],
  ["no country", () => HttpResponse.json({ status: "success" })],
  ["a country that is none", () => HttpResponse.json({ countryCode: "Spain" })],
  ["a dash", () => HttpResponse.json({ countryCode: "-" })],
  ["a page", () => HttpResponse.html("<h1>Hello 8.8.8.8</h1>")],
  ["a redirect", () => new HttpResponse(null, { status: 302, headers: { location: "https://else.test" } })],
  ["too many requests", () => new HttpResponse(null, { status: 429 })],
  ["a fault", () => new HttpResponse(null, { status: 500 })],
  ["nothing", () => HttpResponse.error()],
])("a failure of the service (%s) is reported after one call, without the address", async (_, respond) => {
  const { ask: request, requests } = service(respond)
  const failure = await request("8.8.8.8").catch((error: unknown) => error)
  expect(failure).toMatchObject({
    message: expect.stringMatching(/^Country service un\w+( \(\d+\))?$/),
  })
  expect(failure).not.toHaveProperty("cause")
  expect(requests).toHaveLength(1)
})

test.each([
  ["as long as it says", "7", 7 * SECOND],
  ["for a minute when it does not say", "", MINUTE],
  ["for an hour at most", "1e9", 60 * MINUTE],
])("a service whose rate limit is exhausted is not called %s", async (_, ttl, silence) => {
  const {
    ask: request,
    requests,
    wait,
  } = service(() => HttpResponse.json({ countryCode: "ES" }, { headers: { "X-Rl": "0", "X-Ttl": ttl } }))
  expect(await request("8.8.8.8")).toBe("ES")
  wait(silence - 1)
  await expect(request("8.8.4.4")).rejects.toThrow(/rate limited/)
  expect(requests).toHaveLength(1)
  wait(1)
  expect(await request("8.8.4.4")).toBe("ES")
})

test("the rate limit headers of an error response count too", async () => {
  const { ask: request, requests } = service(
    () => new HttpResponse(null, { status: 429, headers: { "X-Rl": "0", "X-Ttl": "30" } }),
  )
  await expect(request("8.8.8.8")).rejects.toThrow(/unavailable \(429\)/)
  await expect(request("8.8.4.4")).rejects.toThrow(/rate limited/)
  expect(requests).toHaveLength(1)
})

test("the service is called while its rate limit has calls left", async () => {
  const { ask: request } = service(() =>
    HttpResponse.json({ countryCode: "ES" }, { headers: { "X-Rl": "1", "X-Ttl": "9" } }),
  )
  expect([await request("8.8.8.8"), await request("8.8.4.4")]).toEqual(["ES", "ES"])
})

function service(respond: () => HttpResponse<string | object | null>) {
  let now = NOON
  const requests: string[] = []
  server.use(
    http.get("https://geo.test/json/:ip", ({ request }) => {
      requests.push(request.url)
      return respond()
    }),
  )
  const source = onlineCountry({ url: URL_HERE, timeoutMs: SECOND, now: () => now })
  const request = async (text: string) => {
    const address = ipAddress(text)
    if (address === null) throw new Error(`${text} is no address`)
    return source(address)
  }
  const wait = (milliseconds: number) => {
    now += milliseconds
  }
  return { ask: request, requests, wait }
}
