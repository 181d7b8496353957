import { useContext } from "react"
import { Scripts } from "react-router"
import { DocumentContext } from "./document"

const BACK_ONLINE = 'addEventListener("online",()=>location.reload())'

/** The page's scripts and its hydration data. `isOfflinePage`: only reloads when the network is back. */
export function DocumentScripts({ isOfflinePage }: { isOfflinePage: boolean }) {
  const { nonce, hydrationScript } = useContext(DocumentContext)
  if (isOfflinePage) return <InlineScript text={BACK_ONLINE} />
  if (hydrationScript === null) return null
  return (
    <>
      <Scripts nonce={nonce} />
      <InlineScript text={hydrationScript} />
    </>
  )
}

/** Inline script with the page's nonce. */
export function InlineScript({ text }: { text: string }) {
  const { nonce } = useContext(DocumentContext)
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text, escaped where it is made
      dangerouslySetInnerHTML={{ __html: text }}
    />
  )
}
