import type { ComponentProps } from "react"
import { useLoaderData } from "react-router"
import type { PageHandle } from "~/ssr/document"
import { WaitingPage } from "~/ui/waiting/waiting-page"
import { dataOf } from "./captured-page"

type Data = Omit<ComponentProps<typeof WaitingPage>, "error" | "lastResult">

export const handle = { title: "title.waiting", public: false } satisfies PageHandle
export const loader = () => dataOf<Data>("/checkout/waiting", "routes/waiting")

// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default function Waiting() {
  return <WaitingPage {...useLoaderData<Data>()} error={null} lastResult={null} />
}
