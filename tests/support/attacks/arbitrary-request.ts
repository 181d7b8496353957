import fc from "fast-check"
import { parameters, resources, screens } from "./attack-inputs"
import { callbacks, calls, likely, likelyHeaders, names, proofs, values } from "./fuzz-dictionary"

/** An arbitrary request from the internet. */
export type AnyRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const FORM = "application/x-www-form-urlencoded"

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...values) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 300 }) },
)
const pairs = (names: readonly string[]) =>
  fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 12 })), value), {
      maxLength: 9,
    })
    .map((entries) => new URLSearchParams(entries.map(([name, it]) => [tidy(name), tidy(it)])).toString())

const known = fc.constantFrom(
  ...screens,
  ...screens,
  "/checkout/aff/new_click",
  ...resources,
  ...callbacks,
  ...calls.map((call) => `/checkout/api/${call}`),
  "/",
  "/checkout",
  "/checkout/__manifest",
  "/checkout/_root.data",
  "/checkout/success.data",
)
const inLanguage = fc
  .tuple(fc.constantFrom("", "", "", "", "/de-de", "/es-es", "/xx-xx"), known)
  .map(([prefix, path]) => path.replace("/checkout", `/checkout${prefix}`))
const path = fc.oneof(
  { weight: 6, arbitrary: inLanguage },
  { weight: 1, arbitrary: fc.webPath().map((it) => `/checkout${it}`) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "binary", maxLength: 60 }).map((it) => `/checkout/${encoded(it)}`),
  },
)
const latin = (max: number) =>
  fc.string({
    maxLength: max,
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((it) => String.fromCharCode(it)),
  })
const header = fc.oneof(fc.constantFrom(...likelyHeaders), latin(200))
const cookie = fc.oneof(
  fc.base64String({ maxLength: 400 }).map((it) => `checkout=${it}`),
  latin(200),
  fc.constantFrom("browserLang=de-de", "aff_id=7", "checkout=", "checkout=__proto__; checkout=x"),
)
const headers = fc.dictionary(
  fc.constantFrom("accept", "accept-language", "user-agent", "referer", "x-api-key", "range", ...proofs),
  header,
  { maxKeys: 6 },
)

/** A plausible form with any parts missing, so that it reaches the validation rules. */
const likelyForm = fc
  .record(
    Object.fromEntries(
      Object.entries(likely).map(([name, text]) => [name, fc.constantFrom(...text.split(" "))]),
    ),
    { requiredKeys: [] },
  )
  .map((params) => Object.entries(params).map(([name, it]) => [name, String(it)]))
  .map((params) => new URLSearchParams(params).toString())

const body = fc.oneof(
  { weight: 3, arbitrary: likelyForm.map((text) => ({ type: FORM, text })) },
  pairs(names).map((text) => ({ type: FORM, text })),
  fc.json({ maxDepth: 4 }).map((text) => ({ type: "application/json", text })),
  fc.dictionary(fc.constantFrom(...names), value).map((params) => {
    return { type: "application/json", text: JSON.stringify(params) }
  }),
  fc.string({ unit: "binary" }).map((text) => ({ type: "multipart/form-data; boundary=x", text })),
)

const methods = "GET GET POST POST POST HEAD PUT PATCH DELETE OPTIONS".split(" ")

/** Every kind of request, with cookies that are not encrypted by the shop. */
export const anyRequest: fc.Arbitrary<AnyRequest> = fc
  .record({
    method: fc.constantFrom(...methods),
    path,
    query: fc.option(pairs(parameters)),
    headers,
    cookie: fc.option(cookie),
    body,
  })
  .map(({ method, path, query, headers, cookie, body }) => {
    const sent = method === "GET" || method === "HEAD" ? null : body
    const params = { ...headers, ...(cookie && { cookie }), ...(sent && { "content-type": sent.type }) }
    return { method, path: query ? `${path}?${query}` : path, headers: params, body: sent?.text ?? null }
  })

/** An unpaired surrogate is not valid Unicode and cannot be encoded in a URL. */
function tidy(text: string): string {
  return text.toWellFormed()
}

function encoded(text: string): string {
  return encodeURIComponent(tidy(text))
}
