import type { ReactNode } from "react"
import { Outlet, Scripts } from "react-router"
import { dataOf } from "./captured-page"
import { ReferenceDocument } from "./document"

export const loader = () => dataOf<object>("/checkout/", "root")

export function Layout({ children }: { children: ReactNode }) {
  return <ReferenceDocument scripts={<Scripts />}>{children}</ReferenceDocument>
}

// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default function Root() {
  return <Outlet />
}
