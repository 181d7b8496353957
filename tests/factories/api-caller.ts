import { calls, isCallName } from "~/billing/wire/calls"
import { API_KEY, type ServedBilling, serveBillingApi } from "./billing-api"
import { openTestShop, type TestShop } from "./shop"

type Said = Readonly<Record<string, string | number | boolean>>
export type Answered = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
}
type How = { readonly token?: string | undefined; readonly key?: string | null; readonly method?: string }

export type ApiShop = TestShop & {
  readonly served: ServedBilling
  /** Calls the API as its description says, with what is not said otherwise left right. */
  call(name: string, said?: Said, how?: How): Promise<Answered>
  /** A customer, and the token that speaks for him. */
  customer(email: string): Promise<{ userid: string; token: string }>
  close(): Promise<void>
}

/** A whole shop in memory whose books are served as the billing API. */
export async function openApiShop(): Promise<ApiShop> {
  const shop = await openTestShop()
  const served = await serveBillingApi(shop.services)

  async function call(name: string, said: Said = {}, how: How = {}): Promise<Answered> {
    const response = await fetch(asked(`${served.url}/checkout/api/${name}`, methodOf(name, how), said, how))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }

  return {
    ...shop,
    ...{ served, call },
    async customer(email) {
      const { body } = await call("auth", { email, currency: "EUR", language: "spanish", country: "ES" })
      return { userid: String(body.userid), token: String(body.token) }
    },
    async close() {
      await served.close()
      await shop.books.close()
    },
  }
}

function methodOf(name: string, { method }: How): string {
  return method ?? (isCallName(name) ? calls[name].method : "GET")
}

function asked(url: string, method: string, said: Said, { key = API_KEY, token }: How): Request {
  const address = new URL(url)
  const headers = new Headers({ "content-type": "application/json" })
  if (key !== null) headers.set("x-api-key", key)
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`)
  if (method !== "GET") return new Request(address, { method, headers, body: JSON.stringify(said) })
  for (const [name, value] of Object.entries(said)) address.searchParams.append(name, String(value))
  return new Request(address, { headers })
}
