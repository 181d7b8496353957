import type { ComponentProps } from "react"
import { useLoaderData } from "react-router"
import type CheckoutRoute from "~/routes/checkout/checkout"
import type { PageHandle } from "~/ssr/document"
import { CheckoutScreen } from "~/ui/checkout/checkout-screen"
import { offerShown } from "~/ui/checkout/offer-shown"
import { dataOf } from "./captured-page"

/** What the shop's own page gets, so that a change of it does not compile here either. */
type Data = { offer: NonNullable<ComponentProps<typeof CheckoutRoute>["loaderData"]["offer"]> }

export const handle = { title: "title.checkout", public: true } satisfies PageHandle
export const loader = () => dataOf<Data>("/checkout/", "routes/checkout")

/** The checkout without the shop's middleware: no session, no database, no pricing. */
// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default function Checkout() {
  const { offer } = useLoaderData() as Data
  return <CheckoutScreen {...offerShown(offer, undefined)} notices={offer.trial} />
}
