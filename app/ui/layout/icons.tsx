import type { ReactNode } from "react"

const draw = (strokes: ReactNode) => (
  <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    {strokes}
  </svg>
)

export const ShieldIcon = () =>
  draw(
    <>
      <path d="M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.500-7-10V6z" />
      <path d="M9 12l2 2 4-4" />
    </>,
  )

export const LockIcon = () =>
  draw(
    <>
      <rect x="5" y="11" width="14" height="9" rx="2" />
      <path d="M8 11V8a4 4 0 018 0v3" />
    </>,
  )

export const TransferIcon = () => draw(<path d="M4 8h14l-3-3M20 16H6l3 3" />)

export const CoinIcon = () =>
  draw(
    <>
      <circle cx="12" cy="12" r="8.500" />
      <path d="M10 8v8h3a2 2 0 000-4h-3 2.500a2 2 0 000-4H10M12 6.500V8M12 16v1.500" />
    </>,
  )

export const CheckIcon = () => draw(<path d="M5 12.500l4.500 4.500L19 7.500" />)

export const ClockIcon = () =>
  draw(
    <>
      <circle cx="12" cy="12" r="8.500" />
      <path d="M12 7.500V12l3 2" />
    </>,
  )

export const CrossIcon = () => draw(<path d="M7 7l10 10M17 7L7 17" />)

export const Logo = () => (
  <svg className="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" />
    <path d="M12.500 10.500v11l9-5.500z" />
  </svg>
)
