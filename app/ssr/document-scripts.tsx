import { useContext } from "react"
import { Scripts } from "react-router"
import { DocumentContext } from "./document"

const BACK_ONLINE = 'addEventListener("online",()=>location.reload())'

/** The page's script and the data it starts with; `kept`: the offline page, which only waits for the network. */
export function DocumentScripts({ kept }: { kept: boolean }) {
  const { nonce, hydrationScript } = useContext(DocumentContext)
  if (kept) return <InlineScript text={BACK_ONLINE} />
  if (hydrationScript === null) return null
  return (
    <>
      <Scripts nonce={nonce} />
      <InlineScript text={hydrationScript} />
    </>
  )
}

/** Script of ours within the page. */
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
