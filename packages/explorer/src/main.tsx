import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient, createClient, TRPCProvider } from "./api/trpc.ts";
import { createPageRouter } from "./router.tsx";
import { addRememberedSettings } from "./settings.ts";
import "./styles/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

const url = new URL(location.href);
const address = addRememberedSettings(url);
if (address.href !== url.href) history.replaceState(null, "", address);

const queryClient = createQueryClient();
const router = createPageRouter();

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={createClient()} queryClient={queryClient}>
        <RouterProvider router={router} />
      </TRPCProvider>
    </QueryClientProvider>
  </StrictMode>,
);
