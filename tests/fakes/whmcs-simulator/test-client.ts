import type { Whmcs } from "./start"

type Scalar = string | number | boolean
type Field = Scalar | readonly Scalar[] | Readonly<Record<string, Scalar>>

/** Calls an installation with forms encoded like PHP's `http_build_query`. */
export function callsTo(whmcs: Whmcs, changes: { accesskey?: string } = {}) {
  const { identifier, secret } = whmcs.settings
  const always = { identifier, secret, responsetype: "json", ...changes }
  const post = (fields: Record<string, Field>) =>
    fetch(`${whmcs.url}/includes/api.php`, { method: "POST", body: form({ ...always, ...fields }) })
  return {
    post,
    /** Returns the raw response. */
    async call(action: string, fields: Record<string, Field> = {}) {
      const response = await post({ action, ...fields })
      return JSON.parse(await response.text())
    },
  }
}

function form(fields: Record<string, Field>): URLSearchParams {
  const written = new URLSearchParams()
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === "object") {
      for (const [key, value] of Object.entries(field)) written.append(`${name}[${key}]`, plain(value))
    } else written.append(name, plain(field))
  }
  return written
}

function plain(value: Scalar): string {
  return typeof value === "boolean" ? String(Number(value)) : String(value)
}

/** Returns `base64(serialize([id => text]))`. */
export function encoded(map: Record<number, string>): string {
  const entries = Object.entries(map).map(([key, text]) => `i:${key};s:${Buffer.byteLength(text)}:"${text}";`)
  return Buffer.from(`a:${entries.length}:{${entries.join("")}}`).toString("base64")
}

type Call = ReturnType<typeof callsTo>["call"]

/** Creates a client whose currency is EUR. */
export async function client(call: Call, changes: Record<string, Field> = {}): Promise<string> {
  const fields = {
    email: "ana@example.test",
    password2: "tango",
    skipvalidation: true,
    currency: 1,
    ...changes,
  }
  return (await call("AddClient", fields)).clientid
}

/** Places an order for the monthly demo plan: EUR 12.00. */
export async function order(call: Call, changes: Record<string, Field> = {}) {
  const clientid = changes.clientid ?? (await client(call))
  const fields = { clientid, paymentmethod: "offshore", pid: ["1"], billingcycle: ["monthly"], ...changes }
  return call("AddOrder", fields)
}
