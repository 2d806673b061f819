package store

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/lni/dragonboat/v4/logger"
	"github.com/rs/zerolog"
)

// The Raft library logs through one factory for the whole process, which can be set once; the logger of the store that
// was opened last gets what it says.
var (
	raftLog        atomic.Pointer[zerolog.Logger]
	raftLogFactory sync.Once
)

func setRaftLog(log zerolog.Logger) {
	raftLog.Store(&log)
	raftLogFactory.Do(func() {
		logger.SetLoggerFactory(func(part string) logger.ILogger { return raftLogger(part) })
	})
}

// raftLogger is one part of the Raft library as a logger. The library's information is our debugging.
type raftLogger string

// SetLevel does nothing: the level is that of the logger beneath.
func (l raftLogger) SetLevel(logger.LogLevel) {}

// Debugf drops what is of use to the library's developers only.
func (l raftLogger) Debugf(string, ...any) {}

// Infof logs at debug level.
func (l raftLogger) Infof(format string, args ...any) { l.say(raftLog.Load().Debug(), format, args) }

// Warningf logs at debug level, too: what matters of it shows in what callers of the store get.
func (l raftLogger) Warningf(format string, args ...any) { l.say(raftLog.Load().Debug(), format, args) }

// Errorf logs at error level.
func (l raftLogger) Errorf(format string, args ...any) { l.say(raftLog.Load().Error(), format, args) }

// Panicf logs and panics, for its caller cannot go on.
func (l raftLogger) Panicf(format string, args ...any) {
	l.say(raftLog.Load().Error(), format, args)
	panic(fmt.Sprintf("raft "+string(l)+": "+format, args...))
}

func (l raftLogger) say(e *zerolog.Event, format string, args []any) {
	e.Str("raft", string(l)).Msgf(format, args...)
}
