import { useState } from 'react';
import { Message } from '../src/parts/message.tsx';
import { ThemeButton } from '../src/parts/theme-button.tsx';
import { ReviewDesk } from '../src/review/review-desk.tsx';
import type { ReviewSource } from '../src/review/review-source.ts';
import type { KeptLabels } from './kept-labels.ts';
import type { Packet } from './packet.ts';
import { PacketFile } from './packet-file.tsx';

interface PacketProps {
  readonly packet: Packet;
  readonly kept: KeptLabels;
  readonly integrity: 'intact' | 'changed' | 'unknown';
}

/** The whole page of a packet: the desk, and the file that the reviewer sends back. */
export function PacketPage({ packet, kept, integrity }: PacketProps) {
  // A file that is loaded brings labels: the desk then starts again with them.
  const [round, setRound] = useState(0);
  const session = { ...packet.session, labels: [...packet.session.labels, ...kept.labels()] };
  return (
    <>
      <header className="top">
        <span className="name">Krisis review packet</span>
        <p className="offline quiet small">Offline: nothing leaves this page but the file you save.</p>
        <ThemeButton />
      </header>
      <main id="main">
        {integrity === 'changed' ? (
          <Message title="This packet was changed" bad>
            <p>
              Its questions or answers are not those that it was made with, so labels on them would be
              worthless. Ask for a new copy of the packet. Nothing can be labelled here.
            </p>
          </Message>
        ) : (
          <ReviewDesk key={round} session={session} source={sourceOf(kept)}>
            {integrity === 'unknown' && (
              <p className="notice" role="note">
                This browser cannot check whether the packet was changed; that is checked when your file is
                imported.
              </p>
            )}
            <PacketFile packet={packet} kept={kept} onLoaded={() => setRound((before) => before + 1)} />
          </ReviewDesk>
        )}
      </main>
    </>
  );
}

/** Labels of a packet are kept in the page; the file is saved by hand. */
function sourceOf(kept: KeptLabels): ReviewSource {
  return { savedText: '', save: async (label) => kept.add([label]) };
}
