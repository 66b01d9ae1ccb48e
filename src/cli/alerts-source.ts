import type { Application, ApplicationMute, AppStatus, Silence } from '../model/index.ts';
import type { StatusQuestion } from './status-source.ts';

/** An application with all that alerts are judged by. */
export interface AlertedItem {
  /** As far as it can be told: a state folder knows no labels. */
  readonly application: Application;
  readonly status: AppStatus;
  /** Whose silences concern it: the namespace of its agent, or the state folder. */
  readonly keeper: string;
}

/** What keeps alerts quiet. */
export interface SilenceStore {
  read(signal: AbortSignal): Promise<readonly Silence[]>;
  add(silence: Silence, signal: AbortSignal): Promise<void>;
  end(id: string, signal: AbortSignal): Promise<void>;
}

/** Where alerts are read, and wishes about them are left. */
export interface AlertsSource extends AsyncDisposable {
  /** For people: which cluster, which folder. */
  readonly place: string;
  /** Throws where an application that was named is not there. */
  read(question: StatusQuestion, signal: AbortSignal): Promise<readonly AlertedItem[]>;
  /** Undefined ends the mute. */
  setMute(id: string, mute: ApplicationMute | undefined, signal: AbortSignal): Promise<void>;
  /** Asks the agent to send dead letters again; a text that `replayIn` reads. */
  askForReplay(id: string, text: string, signal: AbortSignal): Promise<void>;
  silencesOf(keeper: string): SilenceStore;
  /** Whose silences are meant where nobody says so. */
  usualKeeper(signal: AbortSignal): Promise<string>;
  /** Who the user is, for people who wonder. */
  author(signal: AbortSignal): Promise<string>;
}
