import type { ComponentProps } from "react"
import { useLoaderData } from "react-router"
import type { PageHandle } from "~/ssr/document"
import { CheckoutScreen } from "~/ui/checkout/checkout-screen"
import { dataOf } from "./captured-page"

type Data = { offer: Omit<ComponentProps<typeof CheckoutScreen>, "typed"> }

export const handle = { title: "title.checkout", public: true } satisfies PageHandle
export const loader = () => dataOf<Data>("/checkout/", "routes/checkout")

/** The checkout without the shop's middleware: no session, no database, no pricing. */
// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default function Checkout() {
  const { offer } = useLoaderData<Data>()
  return <CheckoutScreen {...offer} typed={{ email: "", promoCode: "" }} />
}
