import { delay, HttpResponse, http } from "msw"
import { pino } from "pino"
import { describe, expect, test } from "vitest"
import { HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { checkedNumbers, uncheckedNumbers } from "../checked-numbers.server"
import { viesCheck } from "./vies.server"

const server = interceptUpstreams()
const URL_HERE = "https://vies.test/rest-api"
const log = pino({ level: "silent" })

/** Milliseconds that a busy machine does not reach. */
const LONG_ENOUGH = 20_000

/** Numbers that the fake service confirms, with the clock and the requests that it has received. */
function openNumbers(respond: () => Response | Promise<Response>, timeoutMs = LONG_ENOUGH) {
  const requests: unknown[] = []
  let at = 1_800_000_000_000
  server.use(
    http.post(`${URL_HERE}/check-vat-number`, async ({ request }) => {
      requests.push(await request.json())
      return respond()
    }),
  )
  const ask = viesCheck({ url: URL_HERE, timeoutMs, requester: async () => "DE136695976" })
  const numbers = checkedNumbers(ask, { now: () => at, log })
  return {
    numbers,
    requests,
    after: (ms: number) => {
      at += ms
    },
  }
}

const valid = () =>
  HttpResponse.json({
    countryCode: "FR",
    vatNumber: "40303265045",
    valid: true,
    requestIdentifier: "WAPIAAAAY1",
    name: "LUMIERE SARL",
    address: "---",
  })
const FRENCH = "FR40303265045"

test("a confirmed number has the identifier of the request, which names the seller's own number", async () => {
  const { numbers, requests } = openNumbers(valid)
  expect(await numbers.check(FRENCH)).toMatchObject({ result: "valid", requestId: "WAPIAAAAY1" })
  expect(requests).toEqual([
    {
      countryCode: "FR",
      vatNumber: "40303265045",
      requesterMemberStateCode: "DE",
      requesterNumber: "136695976",
    },
  ])
})

test("a seller's number that changes while the shop runs is named from then on", async () => {
  const { requests } = openNumbers(valid)
  let own: string | null = null
  const ask = viesCheck({ url: URL_HERE, timeoutMs: LONG_ENOUGH, requester: async () => own })
  await ask(FRENCH)
  own = "ATU13585627"
  await ask(FRENCH)
  expect(requests).toEqual([
    { countryCode: "FR", vatNumber: "40303265045" },
    expect.objectContaining({ requesterMemberStateCode: "AT", requesterNumber: "U13585627" }),
  ])
})

test("a Greek number is asked for as EL", async () => {
  const { numbers, requests } = openNumbers(valid)
  await numbers.check("EL094259216")
  expect(requests).toMatchObject([{ countryCode: "EL", vatNumber: "094259216" }])
})

test("a number that the service does not know is invalid", async () => {
  const { numbers } = openNumbers(() =>
    HttpResponse.json({ valid: false, userError: "INVALID", requestIdentifier: "" }),
  )
  expect(await numbers.check(FRENCH)).toMatchObject({ result: "invalid", requestId: null })
})

describe("a number is unanswered, and no error thrown, by", () => {
  const unavailable = (error: string, status = 200) =>
    HttpResponse.json({ actionSucceed: false, errorWrappers: [{ error }] }, { status })
  test.each<[string, () => Response | Promise<Response>]>([
    ["a member state that is unavailable", () => unavailable("MS_UNAVAILABLE")],
    [
      "a member state that is unavailable, told beside an invalid number",
      () => HttpResponse.json({ valid: false, userError: "MS_UNAVAILABLE" }),
    ],
    ["too many requests of all sellers", () => unavailable("MS_MAX_CONCURRENT_REQ", 500)],
    ["a refused number of the seller", () => unavailable("INVALID_REQUESTER_INFO", 400)],
    ["status 500", () => new HttpResponse("Internal Server Error", { status: 500 })],
    ["status 403 of a firewall", () => new HttpResponse("Forbidden", { status: 403 })],
    ["a page instead of JSON", () => HttpResponse.html("<h1>Maintenance</h1>")],
    ["JSON without a result", () => HttpResponse.json({})],
    ["another type of result", () => HttpResponse.json({ valid: "true" })],
    ["an empty answer", () => new HttpResponse(null, { status: 200 })],
    ["a redirect", () => HttpResponse.redirect("https://elsewhere.test/", 302)],
    ["a broken connection", () => HttpResponse.error()],
  ])("%s", async (_, respond) => {
    const { numbers } = openNumbers(respond)
    expect(await numbers.check(FRENCH)).toMatchObject({ result: "unanswered", requestId: null })
  })

  test("an answer that does not come in time", async () => {
    const { numbers } = openNumbers(async () => {
      await delay("infinite")
      return valid()
    }, 100)
    expect(await numbers.check(FRENCH)).toMatchObject({ result: "unanswered", requestId: null })
  })
})

test("an answer counts for a day, and no answer for a minute", async () => {
  let response = () => HttpResponse.json({ valid: false, userError: "SERVICE_UNAVAILABLE" })
  const { numbers, requests, after } = openNumbers(() => response())
  await numbers.check(FRENCH)
  after(MINUTE - 1)
  expect(await numbers.check(FRENCH)).toMatchObject({ result: "unanswered" })
  response = valid as typeof response
  after(2)
  expect(await numbers.check(FRENCH)).toMatchObject({ result: "valid" })
  after(24 * HOUR - 1)
  await numbers.check(FRENCH)
  expect(requests).toHaveLength(2)
  after(2)
  await numbers.check(FRENCH)
  expect(requests).toHaveLength(3)
})

test("concurrent questions about one number are one", async () => {
  const { numbers, requests } = openNumbers(valid)
  await Promise.all([numbers.check(FRENCH), numbers.check(FRENCH)])
  expect(requests).toHaveLength(1)
})

test("a service that fails three times in a row is not asked for the fourth number", async () => {
  const { numbers, requests } = openNumbers(() => new HttpResponse(null, { status: 503 }))
  for (const number of [FRENCH, "DE136695976", "ATU13585627", "ESB58378431"])
    expect(await numbers.check(number)).toMatchObject({ result: "unanswered" })
  expect(requests).toHaveLength(3)
})

test("a service that has failed three times is tried again after half a minute, with one number", async () => {
  let response = () => new HttpResponse(null, { status: 503 })
  const { numbers, requests, after } = openNumbers(() => response())
  for (const number of [FRENCH, "DE136695976", "ATU13585627"]) await numbers.check(number)
  after(30 * SECOND - 1)
  expect(await numbers.check("ESB58378431")).toMatchObject({ result: "unanswered" })
  expect(requests).toHaveLength(3)
  response = valid as typeof response
  after(MINUTE + 1)
  expect(await numbers.check("ESB58378431")).toMatchObject({ result: "valid" })
  expect(await numbers.check(FRENCH)).toMatchObject({ result: "valid" })
  expect(requests).toHaveLength(5)
})

test("numbers of other countries are asked nobody", async () => {
  const { numbers, requests } = openNumbers(valid)
  for (const number of ["GB980780684", "XI980780684", "CHE107787577"])
    expect(await numbers.check(number)).toMatchObject({ result: "unchecked" })
  expect(requests).toEqual([])
})

test("a shop without the service checks the form alone", async () => {
  const numbers = uncheckedNumbers({ now: () => 7 })
  expect(await numbers.parse("DE136695976")).toBe("DE136695976")
  expect(await numbers.check("DE136695976")).toEqual({ result: "unchecked", at: 7, requestId: null })
})
