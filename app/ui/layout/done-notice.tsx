import { useLocation } from "react-router"

type Done = {
  /** Null: nothing has been done. */
  text: string | null
  className?: "notice" | "password-done"
}

/**
 * Says what has just been done. The live region exists before the text, so that screen readers announce it, and the text is
 * put in anew with each navigation, so that they announce the same twice.
 */
export function DoneNotice({ text, className = "notice" }: Done) {
  const { key } = useLocation()
  return (
    <div className="done-notice" role="status">
      {text !== null && (
        <p key={key} className={className}>
          {text}
        </p>
      )}
    </div>
  )
}
