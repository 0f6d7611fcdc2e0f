import { prerender } from 'react-dom/static'
import { expect, test } from 'vitest'
import { AuthProvider, useAuth } from './auth.tsx'

function Status() {
  return useAuth().status
}

const render = (element: React.ReactNode) => prerender(element, { onError: () => undefined })

test('useAuth outside its provider throws', async () => {
  await expect(render(<Status />)).rejects.toThrow('useAuth needs an <AuthProvider> above it')
})

test('inside it, a page starts as loading', async () => {
  const { prelude } = await render(
    <AuthProvider>
      <Status />
    </AuthProvider>,
  )
  expect(await new Response(prelude).text()).toContain('loading')
})
