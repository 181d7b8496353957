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

export const BankIcon = () =>
  draw(<path d="M4 9.500L12 5l8 4.500M4 9.500h16M6 9.500v7m4-7v7m4-7v7m4-7v7M4 19h16" />)

export const WalletIcon = () =>
  draw(<path d="M4 7a2 2 0 012-2h12v3M4 7a1 1 0 001 1h15v11H6a2 2 0 01-2-2zm12 6.500h4" />)

export const LightningIcon = () => draw(<path d="M13 3L5 13.500h6L10 21l9-11h-6.500z" />)

export const CoinsIcon = () =>
  draw(
    <>
      <circle cx="9" cy="9" r="5" />
      <path d="M14.500 10.300a5 5 0 11-4.200 4.200" />
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
